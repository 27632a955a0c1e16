export { createSkillRoom } from './create-skill-room.ts';
