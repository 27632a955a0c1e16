import assert from 'node:assert/strict';

/**
 * Creates, finds, reads and expires one silence through MCP tools; looks at the daemon itself after each step. The
 * client asks `person` before anything is deleted: they say what `person.decision` holds, and `person.asked` counts.
 */
export async function silenceStory(client, alertmanager, label, person) {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(names, [
    'deleteSilence',
    'getAlertGroups',
    'getAlerts',
    'getReceivers',
    'getSilence',
    'getSilences',
    'getStatus',
    'postAlerts',
    'postSilences',
  ]);

  const value = `a "quoted" value, with commas & ümlauts (${label})`;
  const now = Date.now();
  const created = await call(client, 'postSilences', {
    matchers: [{ name: 'alertname', value, isRegex: false }],
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + 3_600_000).toISOString(),
    createdBy: label,
    comment: `made over ${label}`,
  });
  const { silenceID } = created;
  assert.match(silenceID, /^[0-9a-f-]{36}$/);
  const direct = await silence(alertmanager, silenceID);
  assert.equal(direct.comment, `made over ${label}`);
  assert.deepEqual(direct.matchers, [{ name: 'alertname', value, isRegex: false, isEqual: true }]);

  const filter = [`alertname=${JSON.stringify(value)}`];
  const { result: found } = await call(client, 'getSilences', { filter });
  assert.deepEqual(
    found.map(({ id, status }) => [id, status.state]),
    [[silenceID, 'active']],
  );
  const { result: none } = await call(client, 'getSilences', {
    filter: ['alertname="something else"', 'other="label"'],
  });
  assert.deepEqual(none, []);

  assert.equal(person.asked, 0);
  person.decision = 'reject';
  const refused = await client.callTool({ name: 'deleteSilence', arguments: { silenceID } });
  assert.equal(refused.isError, true);
  assert.match(text(refused), /approval_rejected/);
  assert.equal((await silence(alertmanager, silenceID)).status.state, 'active');

  person.decision = 'approve';
  const removed = await client.callTool({ name: 'deleteSilence', arguments: { silenceID } });
  assert.notEqual(removed.isError, true, text(removed));
  assert.equal(person.asked, 2);
  assert.equal((await silence(alertmanager, silenceID)).status.state, 'expired');
  assert.equal((await call(client, 'getSilence', { silenceID })).status.state, 'expired');

  const missing = await client.callTool({
    name: 'getSilence',
    arguments: { silenceID: '00000000-0000-4000-8000-000000000000' },
  });
  assert.equal(missing.isError, true);
  assert.match(text(missing), /404/);
  const incomplete = await client.callTool({ name: 'postSilences', arguments: { comment: 'no matchers' } });
  assert.equal(incomplete.isError, true);
  assert.match(text(incomplete), /matchers/);
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.notEqual(result.isError, true, `${name}: ${text(result)}`);
  return result.structuredContent;
}

async function silence(alertmanager, id) {
  const response = await fetch(`${alertmanager}/api/v2/silence/${id}`);
  assert.equal(response.status, 200);
  return response.json();
}

const text = ({ content }) => content.map((block) => block.text ?? block.type).join('\n');
