import { SAMPLES } from '@turnout/contract';
import { sign } from '@turnout/sdk';
import { describe, expect, test } from 'vitest';
import { HAPPENINGS, scan } from './world.ts';
import { app, arrived, as, failure, hear, plans, run, TRIGGERS, trigger, turnOn, world, type Zap } from './zapier.ts';

/** What the triggers guarantee: a part of test/automation-zapier.test.ts, which has the server that they need. */
export const triggerTests = () =>
  describe('triggers', () => {
    test.each(TRIGGERS.flatMap((key) => ['growth', 'scale'].map((plan) => [key, plan] as const)))(
      '%s on %s: subscribes, hears, unsubscribes',
      async (key, plan) => {
        const org = plans[plan]!;
        const zap = await turnOn(org, key);
        const label = app.triggers[key].display.label;
        expect((await org.endpoints()).find(({ url }) => url === zap.targetUrl)).toMatchObject({
          id: zap.subscribeData.id,
          event: 'fair',
          description: `Zapier: ${label}`,
        });
        const id = await HAPPENINGS[key]!(org);
        const deliveries = await world.delivered(zap.targetUrl);
        expect(deliveries).toHaveLength(1);
        const records = await hear(key, zap, deliveries[0]!);
        expect(records).toEqual([JSON.parse(deliveries[0]!.body.toString()).data]);
        expect(records[0].id).toBe(id);
        await run(trigger(key).performUnsubscribe, zap);
        expect((await org.endpoints()).filter(({ url }) => url === zap.targetUrl)).toEqual([]);
        // Turned off twice, or deleted in Turnout before.
        await run(trigger(key).performUnsubscribe, zap);
      },
    );

    test.each(TRIGGERS)('%s: below Growth the refusal names the plan', async (key) => {
      for (const doing of [
        () => turnOn(plans.starter!, key),
        () => run(trigger(key).performList, as(plans.starter!)),
      ]) {
        const { message } = await failure(doing());
        expect(message.message).toMatch(/^This needs the Turnout plan Growth\./);
      }
    });

    test.each(TRIGGERS.flatMap((key) => ['growth', 'scale'].map((plan) => [key, plan] as const)))(
      '%s on %s: lists samples, of one event and of all',
      async (key, plan) => {
        const org = plans[plan]!;
        const id = await HAPPENINGS[key]!(org);
        for (const event of [org.event, '']) {
          const samples = await run(trigger(key).performList, as(org, { event }));
          // Growth does not include the list of check-ins, so Turnout's own sample has to do.
          if (key === 'new_check_in' && plan === 'growth') expect(samples[0]).toEqual(SAMPLES.checkIn);
          else expect(samples.map((one: { id: string }) => one.id)).toContain(id);
        }
      },
    );

    test('one that is not signed with the secret is read again by its id, and the API is believed', async () => {
      const org = plans.scale!;
      for (const key of TRIGGERS) {
        const zap = await turnOn(org, key);
        await HAPPENINGS[key]!(org);
        const [delivery] = await world.delivered(zap.targetUrl);
        const { cleanedRequest } = arrived(delivery!);
        const forged = { ...cleanedRequest, data: { ...cleanedRequest.data, updated_at: 'forged', reason: 'forged' } };
        const [record] = await hear(key, zap, delivery!, { rawRequest: undefined, cleanedRequest: forged });
        expect(record.id).toBe(cleanedRequest.data.id);
        expect(JSON.stringify(record)).not.toContain('forged');
      }
    });

    test('one that is signed wrongly, or too long ago, or not at all, and that nobody confirms, stops', async () => {
      const org = plans.growth!;
      const zap = await turnOn(org, 'new_check_in');
      await HAPPENINGS.new_check_in!(org);
      const [delivery] = await world.delivered(zap.targetUrl);
      const { rawRequest, cleanedRequest } = arrived(delivery!);
      const signature = rawRequest.headers['Http-Service-Signature']!;
      const header = (value: string) => ({ ...rawRequest, headers: { 'Service-Signature': value } });
      const now = Math.floor(Date.now() / 1000);
      // The genuine one, under the name that it was sent with, and during a rotation.
      const rotated = await sign(rawRequest.content, ['whsec_new', zap.subscribeData.secret], now - 290);
      for (const genuine of [signature, rotated])
        expect(await hear('new_check_in', zap, delivery!, { rawRequest: header(genuine) })).toHaveLength(1);
      for (const broken of [
        { ...rawRequest, content: rawRequest.content.replace('accepted', 'Accepted') },
        header(signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
        header(await sign(rawRequest.content, zap.subscribeData.secret, now - 310)),
        header(await sign(rawRequest.content, zap.subscribeData.secret, now + 310)),
        header(await sign(rawRequest.content, 'whsec_of_another_endpoint', now)),
        header(''),
      ]) {
        expect(await failure(hear('new_check_in', zap, delivery!, { rawRequest: broken }))).toMatchObject({
          name: 'HaltedError',
          text: expect.stringContaining(`${cleanedRequest.data.id} without a valid signature`),
        });
      }
    });

    test('a check-in that admits nobody is told only on request', async () => {
      const org = plans.scale!;
      const [admitted, all] = [
        await turnOn(org, 'new_check_in'),
        await turnOn(org, 'new_check_in', { all_scans: true }),
      ];
      const { code } = (await org.register()).attendees[0]!.tickets[0]!;
      for (const result of ['accepted', 'duplicate']) {
        const id = await scan(org, code);
        const of = async (zap: Zap) => {
          const delivery = (await world.delivered(zap.targetUrl)).find(({ body }) => body.includes(id))!;
          return (await hear('new_check_in', zap, delivery)).map((one: { result: string }) => one.result);
        };
        expect(await of(all)).toEqual([result]);
        expect(await of(admitted)).toEqual(result === 'accepted' ? [result] : []);
      }
    });

    test('test activity is told on request, and always to a Zap with a test key', async () => {
      const org = plans.scale!;
      const zaps = [
        await turnOn(org, 'new_registration'),
        await turnOn(org, 'new_registration', { include_test: true }),
        await turnOn(org, 'new_registration', {}, org.testKey),
      ];
      const attendees = [{ attendee_type: 'adult', first_name: 'Test', last_name: 'Person', days: ['d1'] }];
      const path = `/v1/events/${org.event}/registrations`;
      expect((await world.t.call('POST', path, { key: org.testKey, body: { attendees } })).status).toBe(201);
      const told = [];
      for (const zap of zaps) {
        const [delivery] = await world.delivered(zap.targetUrl);
        told.push((await hear('new_registration', zap, delivery!)).length);
      }
      expect(told).toEqual([0, 1, 1]);
    });

    test('a private test host is refused with words that help', async () => {
      for (const targetUrl of ['https://localhost:9000/hook', 'https://10.0.0.7/hook', 'http://hooks.example.org/']) {
        const doing = run(trigger('new_registration').performSubscribe, { ...as(plans.growth!), targetUrl });
        const { message } = await failure(doing);
        expect(message).toMatchObject({ code: 'webhook_url_refused', status: 422 });
        expect(message.message).toMatch(/only to public https addresses.*WEBHOOK_ALLOWED_NETWORKS/);
      }
    });
  });
