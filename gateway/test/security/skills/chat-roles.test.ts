import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../../src/operations/index.ts';
import { type ModelDouble, startModel } from '../../doubles/model/model.ts';
import { type AttackedSchool, attackedSchool, STUDENT, skillText } from './attacked-school.ts';

const TEACHER: Principal = { ...LOCAL_PRINCIPAL, id: 'teacher-1', roles: ['teacher'] };

let model: ModelDouble;
let school: AttackedSchool;
beforeAll(async () => {
  model = await startModel();
  school = await attackedSchool(
    { exams: { 'SKILL.md': skillText('exams', 'Exams.', 'The answer of question 3 is 42.') } },
    { roles: ['teacher'], defaults: { student: 'exams' } },
    { chat: { baseUrl: model.url, model: 'scripted' }, egress: { allow: [new URL(model.url).origin] } },
  );
});
afterAll(async () => {
  await school.close();
  await model.close();
});

async function asked(principal: Principal, skill?: string) {
  model.say({ text: 'Well.' });
  const chat = await school.gateway.chat();
  const events = [];
  const messages = [{ role: 'user' as const, content: 'What does it say?' }];
  const { signal } = new AbortController();
  for await (const event of chat.run({
    messages,
    principal,
    signal,
    ...(skill === undefined ? {} : { skill_id: skill }),
  }))
    events.push(event);
  return { start: events[0], told: JSON.stringify(model.questions.at(-1)!.body.messages) };
}

test('a chat tells nobody what a skill says that they may not read', async () => {
  for (const skill of ['exams', undefined]) {
    const { start, told } = await asked(STUDENT, skill);
    expect(told).not.toContain('42');
    expect(start).toMatchObject({ type: 'start' });
    expect(start).not.toHaveProperty('skill');
  }
  expect((await asked(TEACHER, 'exams')).told).toContain('42');
});
