import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import type { Diagnostic } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { compileTool, declaredName, type ToolSurroundings } from './compile-tool.ts';
import { readFrontMatter } from './front-matter.ts';
import { PACKAGE_LIMITS } from './limits.ts';
import {
  misnamedManifests,
  packageVersion,
  SKILL_FILE,
  SKILL_FILE_MISSPELT,
  type SkillPackageFiles,
} from './package-files.ts';
import { readManifests, type WrittenTool } from './read-manifests.ts';
import type { PlainYaml } from './read-yaml.ts';
import type { CompiledSkill, CompiledSkillTool, InvalidSkillTool } from './snapshot.ts';
import { InvalidTool, type Note } from './tool-members.ts';

/** Findings of one skill; a stranger's manifest could have one for each key. */
const MOST_FINDINGS = 200;

/**
 * A package as it is understood. A tool that cannot be costs itself, a manifest that cannot be read its own tools.
 *
 * @param place where the package lies, absolute; it goes into locations and does not count in the version
 * @throws `skill_invalid` where SKILL.md is missing or names no skill; `details.finding` is the id of the finding
 */
export async function compileSkill(
  content: SkillPackageFiles,
  place: { readonly folder: string; readonly root: string },
): Promise<CompiledSkill> {
  const findings: Diagnostic[] = [];
  const find = (finding: Diagnostic) => {
    if (findings.length < MOST_FINDINGS)
      findings.push({ ...finding, message: cleanText(finding.message).text });
  };
  const file = join(place.folder, SKILL_FILE);
  const text = await skillText(content, file);
  const { name: id, findings: said, ...matter } = await readFrontMatter(text, file);
  for (const finding of said) find(finding);
  const { changes } = cleanText(text);
  if (changes.length > 0)
    find({
      code: 'skill-hidden-text',
      severity: 'warning',
      message: `It holds what a reader does not see; models are given it without: ${changes.join('; ')}.`,
      location: file,
    });
  const folderName = place.folder.split(/[/\\]/).at(-1);
  if (folderName !== id)
    find({
      code: 'skill-folder',
      severity: 'warning',
      message: `name is ${id}, and the folder ${folderName}: they are the same.`,
      location: file,
    });
  for (const { path } of misnamedManifests(content.files))
    find({
      code: 'skill-manifest-name',
      severity: 'warning',
      message: 'It is not read: the manifest of a skill is called tool-manifest.yaml.',
      location: join(place.folder, path),
    });
  const noteIn =
    (placeOf: PlainYaml['place']): Note =>
    (code, message, path, severity = 'warning') => {
      // looking for a place takes longer the more there are
      if (findings.length < MOST_FINDINGS)
        find({ code, severity, message, location: join(place.folder, placeOf(path)) });
    };
  const version = packageVersion(content.files);
  const manifests = await readManifests(content, noteIn);
  const tools: CompiledSkillTool[] = [];
  const invalid: InvalidSkillTool[] = [...manifests.invalid];
  const names = new Set<string>();
  for (const [index, written] of manifests.tools.entries()) {
    if (index >= PACKAGE_LIMITS.tools) {
      invalid.push(tooMany(written));
      break;
    }
    const surroundings = {
      skill: id,
      version,
      runtime: manifests.runtime,
      content,
      note: noteIn(written.place),
    };
    const tool = await compiled(written, surroundings, names);
    if ('error' in tool) invalid.push(tool);
    else tools.push(tool);
  }
  // they repeat a stranger's words, on terminals too
  const told = invalid.map((one) => ({ ...one, error: cleanText(one.error).text }));
  return { id, ...matter, version, ...place, files: content.files, tools, invalid: told, findings };
}

async function skillText(content: SkillPackageFiles, file: string): Promise<string> {
  const skill = content.files.find(({ path }) => path === SKILL_FILE);
  const invalid = (message: string) =>
    new ToolcribError('skill_invalid', message, { location: file, details: { finding: 'skill-unreadable' } });
  if (skill === undefined) {
    const misspelt = content.files.find(({ path }) => SKILL_FILE_MISSPELT.includes(path))?.path;
    throw invalid(
      `There is no ${SKILL_FILE}${misspelt === undefined ? '' : `, but a ${misspelt}: rename it`}.`,
    );
  }
  if (skill.bytes > PACKAGE_LIMITS.skillBytes)
    throw invalid(`${SKILL_FILE} has at most ${PACKAGE_LIMITS.skillBytes} bytes.`);
  const bytes = await content.read(SKILL_FILE);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(`${SKILL_FILE} is no UTF-8 text.`);
  }
}

/** Names are taken by the first that declares them, invalid or not: what it means does not depend on its faults. */
async function compiled(
  written: WrittenTool,
  surroundings: ToolSurroundings,
  names: Set<string>,
): Promise<CompiledSkillTool | InvalidSkillTool> {
  const { value, path, place } = written;
  const name = declaredName(value);
  try {
    if (name !== undefined && names.has(name))
      throw new InvalidTool('skill-tool-name', `Another tool is called ${name}, too.`, [...path, 'name']);
    if (name !== undefined) names.add(name);
    return { ...(await compileTool(value, path, surroundings)), place: place(path) };
  } catch (error) {
    if (!(error instanceof InvalidTool)) throw error;
    const { message, code } = error;
    return { place: place(error.path), ...(name === undefined ? {} : { name }), error: message, code };
  }
}

function tooMany({ place, path }: WrittenTool): InvalidSkillTool {
  return {
    place: place(path),
    error: `A skill has at most ${PACKAGE_LIMITS.tools} tools: this one and those after it are left out.`,
    code: 'skill-tools',
  };
}
