import { Problem } from '@turnout/client';
import {
  Ago,
  Badge,
  Button,
  CardsShape,
  Checkbox,
  Checkboxes,
  ComboBox,
  ConfirmDialog,
  CopyField,
  DataShape,
  Dialog,
  EmailField,
  EmptyState,
  Facts,
  FiguresShape,
  Form,
  FormShape,
  LinesShape,
  Menu,
  MoreIcon,
  Notice,
  Page,
  PasswordField,
  ProblemNotice,
  Radios,
  Section,
  SectionShape,
  Select,
  Skeleton,
  Submit,
  Switch,
  Table,
  TableShape,
  Tabs,
  TextArea,
  TextField,
  toast,
} from '@turnout/ui';
import { useState } from 'react';

const LONG = 'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung';
const problem = new Problem({
  operation: 'createKey',
  status: 403,
  code: 'permission_required',
  message: 'Your role in this organization doesn’t allow this. Ask an owner or admin.',
  requestId: '01JCQ8Z7M4T3V9R1X5K2N6P8DA',
});
const ZONES = Intl.supportedValuesOf('timeZone')
  .filter((zone) => zone.startsWith('Europe/'))
  .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
const ROLES = [
  { value: 'owner', label: 'Owner', hint: 'May do everything, and makes other owners.' },
  { value: 'viewer', label: LONG, hint: 'Sees events and people and changes nothing.' },
  { value: 'door', label: 'Door', disabled: true },
];

export function Gallery({ elsewhere }: { elsewhere: () => void }) {
  const [rows, setRows] = useState(3);
  return (
    <Page
      title="Components"
      lead="Each of them, in each of its states."
      crumb={<a href="#up">Back to somewhere</a>}
      actions={
        <>
          <Button kind="main" onClick={() => setRows(5000)}>
            5,000 rows
          </Button>
          <Button onClick={elsewhere}>Go elsewhere</Button>
        </>
      }
    >
      <Tabs label="Parts">
        <a href="#one" aria-current="page">
          Keys
        </a>
        <a href="#two">Webhooks</a>
        <a href="#three">{LONG}</a>
      </Tabs>
      <Section title="Buttons and states" lead="One of them is the main one.">
        <div className="buttons">
          <Button kind="main">Main</Button>
          <Button>Usual</Button>
          <Button kind="quiet">Quiet</Button>
          <Button kind="link">Link</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="danger-main">Revoke key</Button>
          <Button kind="main" busy>
            Busy
          </Button>
          <Button disabled>Disabled</Button>
          <Button size="small">Small</Button>
        </div>
        <div className="row">
          <Badge>Draft</Badge>
          <Badge tone="good">Healthy</Badge>
          <Badge tone="warn">Expired</Badge>
          <Badge tone="bad">Failing</Badge>
          <Badge icon={null}>You</Badge>
        </div>
      </Section>
      <Overlays />
      <Fields />
      <Section title="Messages">
        <Notice title="Nothing is wrong">This is only to be known.</Notice>
        <Notice tone="good" title="Delivered">
          The answer was 200.
        </Notice>
        <Notice tone="warn" title="Shown once">
          Copy it now. {LONG}
        </Notice>
        <ProblemNotice problem={problem} />
        <CopyField label="Secret" text={`svc_live_${'x7Qe'.repeat(12)}`} />
        <Facts
          facts={[
            ['Made by', 'Ada Lovelace'],
            [LONG, LONG],
          ]}
        />
        <EmptyState title="No webhooks yet" action={<Button kind="main">Create webhook</Button>}>
          A webhook tells your own program what happens here, within a second.
        </EmptyState>
      </Section>
      <Awaited />
      <Section title="A table">
        <People count={rows} />
      </Section>
    </Page>
  );
}

/** Each shape of content that is being loaded. */
const Awaited = () => (
  <Section title="What is being loaded">
    <Skeleton>
      <LinesShape lines={3} />
      <FiguresShape figures={4} />
      <CardsShape cards={3} height="6rem" />
      <FormShape fields={2} />
      <TableShape rows={3} columns={4} />
      <TableShape rows={2} columns={3} tall />
      <DataShape rows={3} />
      <SectionShape lead>
        <LinesShape lines={2} />
      </SectionShape>
    </Skeleton>
  </Section>
);

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null);
  return (
    <Section title="What opens">
      <div className="buttons">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Open question</Button>
        <Button onClick={() => toast('The key was revoked.', 'good')}>Show toast</Button>
        <Menu
          label="Actions"
          button={{ size: 'icon' }}
          groups={[
            {
              title: 'Key',
              items: [
                { id: 'a', label: 'Rename' },
                { id: 'b', label: LONG, hint: 'Ctrl R', chosen: true },
              ],
            },
            { items: [{ id: 'c', label: 'Revoke', danger: true }] },
          ]}
        >
          <MoreIcon />
        </Menu>
      </div>
      {open === 'dialog' && (
        <Dialog title="Invite somebody" onClose={() => setOpen(null)}>
          <Form values={{ email: '' }} submit={async () => undefined} done={() => setOpen(null)}>
            {({ field }) => (
              <>
                <EmailField label="E-mail" {...field('email')} />
                <div className="buttons">
                  <Submit>Send invitation</Submit>
                </div>
              </>
            )}
          </Form>
        </Dialog>
      )}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Revoke this key?"
          action="Revoke key"
          danger
          onConfirm={() => setOpen(null)}
          onClose={() => setOpen(null)}
        >
          <p>Programs that use it are refused from the next request on.</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

const REFUSED = new Problem({
  operation: 'createInvitation',
  status: 400,
  code: 'validation_failed',
  message: 'The request is not valid.',
  details: [
    { path: 'zone', message: 'is not a time zone' },
    { path: 'elsewhere', message: 'is not allowed here' },
  ],
  requestId: '01JCQ8Z7M4T3V9R1X5K2N6P8DB',
});

function Fields() {
  return (
    <Section title="Fields">
      <Form
        values={{
          name: LONG,
          email: '',
          password: '',
          role: '',
          zone: 'Europe/Berlin',
          note: '',
          on: true,
          scopes: ['owner'],
          one: 'owner',
        }}
        submit={async () => {
          throw REFUSED;
        }}
      >
        {({ field }) => (
          <>
            <div className="columns">
              <TextField label="Name" {...field('name')} />
              <EmailField label="E-mail" hint="Where the invitation goes." {...field('email')} />
            </div>
            <PasswordField
              label="Password"
              autoComplete="new-password"
              hint="At least 12 characters."
              {...field('password')}
            />
            <Select label="Role" options={ROLES} empty="Choose …" {...field('role')} />
            <ComboBox label="Time zone" options={ZONES} {...field('zone')} />
            <TextArea label="Note" required={false} {...field('note')} />
            <Checkbox label="Send the link by mail" hint="Otherwise you copy it." {...field('on')} />
            <Switch label="Require a second factor" {...field('on')} />
            <Checkboxes label="Scopes" options={ROLES} {...field('scopes')} />
            <Radios label="Mode" options={ROLES} {...field('one')} />
            <div className="buttons">
              <Submit />
              <Button kind="quiet">Cancel</Button>
            </div>
          </>
        )}
      </Form>
    </Section>
  );
}

interface Person {
  id: string;
  name: string;
  amount: number;
}

function People({ count }: { count: number }) {
  const people: Person[] = Array.from({ length: count }, (_, i) => ({
    id: String(i),
    name: i === 1 ? LONG : `Ada Lovelace ${i + 1}`,
    amount: i * 1250,
  }));
  return (
    <Table
      label="People"
      rows={people}
      keyOf={(one) => one.id}
      onOpen={(one) => toast(one.name)}
      columns={[
        {
          id: 'name',
          head: 'Name',
          cell: (one) => (
            <a className="row-link" href={`#${one.id}`}>
              {one.name}
            </a>
          ),
        },
        { id: 'state', head: 'State', cell: () => <Badge tone="good">Usable</Badge> },
        { id: 'used', head: 'Last used', cell: () => <Ago at="2026-11-16T08:00:00Z" /> },
        { id: 'amount', head: 'Amount', align: 'end', cell: (one) => one.amount },
        { id: 'actions', head: '', cell: () => <Button size="small">Revoke</Button> },
      ]}
    />
  );
}
