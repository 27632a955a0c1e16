export { type SkillCompiler, skillCompiler } from './compiler.ts';
export { createSkillRoom, type SkillRoomOptions } from './create-skill-room.ts';
export { ROOM_LIMITS } from './limits.ts';
export type {
  ImportedSkill,
  KnownSkill,
  OpenedSkill,
  SkillImport,
  SkillImportOptions,
  SkillImportSource,
  SkillRoom,
  SkillVersion,
} from './room.ts';
