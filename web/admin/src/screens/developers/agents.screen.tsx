import { Link } from '@tanstack/react-router';
import { CopyButton, CopyField, Notice, Page, ProblemNotice, Section, Switch, toast, useWords } from '@turnout/ui';
import { useAction } from '../../frame/action.ts';
import { useCall } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { QueryResult } from '../../frame/query-result.tsx';
import { useChangeOrganization } from '../organization/change.ts';
import { Code } from './code.tsx';
import { DeveloperTabs } from './tabs.tsx';
import './developers.css';

/** Programs with a language model, which work with a key: whether they may, and how they are connected. */
export default function Agents() {
  const [t, developers] = [useWords('agents'), useWords('developers')];
  const { org, may } = useOrganization();
  return (
    <Page title={developers('agents')} lead={t('lead')} tabs={<DeveloperTabs />}>
      {may('tenant.settings') ? <AgentsSwitch /> : <Notice title={t('askTitle')}>{t('askText')}</Notice>}
      <Section title={t('advice')}>
        <ul className="advice">
          <li>{t('adviceKey')}</li>
          <li>{t('adviceGroup')}</li>
          <li>{t('adviceTest')}</li>
          <li>{t('adviceText')}</li>
        </ul>
        {may('tenant.api_keys') && (
          <div className="buttons">
            <Link className="button" data-kind="usual" to="/$org/developers/keys/new" params={{ org }}>
              {t('createKey')}
            </Link>
          </div>
        )}
      </Section>
      <Connect />
    </Page>
  );
}

function AgentsSwitch() {
  const t = useWords('agents');
  const { org } = useOrganization();
  const settings = useCall('getOrganization', { org });
  const change = useChangeOrganization();
  const allow = useAction(async (agents: boolean, _options: { key: string }) => {
    await change({ agents });
    toast(t(agents ? 'on' : 'off'), 'good');
  });
  return (
    <QueryResult query={settings}>
      {({ agents }) => (
        <div className="stack">
          <Switch
            label={t('allow')}
            hint={t('allowHint')}
            value={agents}
            disabled={allow.busy}
            onChange={(on) => void allow.run(on)}
          />
          <ProblemNotice problem={allow.problem} />
        </div>
      )}
    </QueryResult>
  );
}

/** The form in which most programs keep their servers. The person fills in the key, which was shown only once. */
const configuration = (url: string): string =>
  JSON.stringify(
    { mcpServers: { turnout: { type: 'http', url, headers: { Authorization: 'Bearer svc_live_…' } } } },
    null,
    2,
  );

function Connect() {
  const t = useWords('agents');
  const address = `${location.origin}/mcp`;
  const text = configuration(address);
  return (
    <Section title={t('connect')} lead={t('connectLead')}>
      <div className="stack">
        <CopyField label={t('address')} text={address} />
        <div className="field">
          <span className="legend">{t('configuration')}</span>
          <Code label={t('configuration')}>{text}</Code>
          <div className="buttons">
            <CopyButton text={text} what={t('configuration')} />
          </div>
        </div>
      </div>
    </Section>
  );
}
