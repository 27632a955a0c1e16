import { lintSchema } from '../../../compiler/lint-schema.ts';
import { asToolcribError } from '../../../errors.ts';
import { type Diagnostic, isObject, type JsonSchema, type Severity } from '../../../operations/index.ts';
import type { SourceContext } from '../../source-kind.ts';
import type { ToolContract } from '../contract.ts';
import { CODE_FILES, CONTRACT_FILE, GUIDE_FILE, type PackageFiles, packageFiles } from '../package-files.ts';
import { type ReadContract, readContract, readPackage, type ToolPackage } from '../read-package.ts';
import { runExamples, type TriedTool } from './run-examples.ts';
import { readGuide, SECTIONS, type Section, type ToolGuide } from './tool-guide.ts';

export interface LintPackageOptions extends Pick<SourceContext, 'reader' | 'signal'> {
  /** Puts the tool into a gateway of its own, for the examples. */
  readonly tryTool: (read: ToolPackage) => Promise<TriedTool>;
}

export interface LintedPackage {
  /** Examples that were run. */
  readonly examples: number;
  /** Test files, absolute. */
  readonly tests: readonly string[];
  readonly findings: readonly Diagnostic[];
}

/** Holds a tool package against the standard of docs/write-a-tool.md; every finding has file and line. */
export async function lintPackage(folder: string, options: LintPackageOptions): Promise<LintedPackage> {
  const files = packageFiles(folder);
  const findings: Diagnostic[] = missingParts(files);
  const text = async (file: string) =>
    Buffer.from(await options.reader.read(file, options.signal)).toString('utf8');
  const guide = files.guide === undefined ? undefined : await readGuide(await text(files.guide));
  const read = await judged(findings, async () =>
    files.contract === undefined ? undefined : readContract(await text(files.contract), files.contract),
  );
  for (const { message, path, location } of read?.problems ?? [])
    findings.push(
      finding('contract-invalid', `${String(path.at(-1) ?? CONTRACT_FILE)}: ${message}`, location),
    );
  const contract = read?.contract;
  if (read !== undefined && contract !== undefined) findings.push(...lintContract(contract, read.place));
  if (guide !== undefined) findings.push(...lintGuide(guide, contract, files.guide!));
  let examples = 0;
  if (contract !== undefined && files.code !== undefined) {
    const loaded = await judged(findings, () => readPackage(files, options));
    if (loaded !== undefined) {
      findings.push(...differences(loaded, read!));
      const tried = guide === undefined ? undefined : await judged(findings, () => options.tryTool(loaded));
      if (tried !== undefined) {
        try {
          examples = guide!.examples.length;
          findings.push(...(await runExamples(loaded, guide!.examples, files.guide!, tried)));
        } finally {
          await tried.close();
        }
      }
    }
  }
  return { examples, tests: files.tests, findings };
}

function missingParts(files: PackageFiles): Diagnostic[] {
  const parts: ReadonlyArray<readonly [boolean, string, string]> = [
    [files.guide !== undefined, GUIDE_FILE, 'purpose, inputs, outputs and examples'],
    [files.contract !== undefined, CONTRACT_FILE, 'name, schemas, access, budget and timeout'],
    [files.code !== undefined, CODE_FILES.join(' or '), 'the code'],
    [files.tests.length > 0, 'tool.test.ts', 'its tests; any *.test.ts or *.test.mjs will do'],
  ];
  return parts
    .filter(([there]) => !there)
    .map(([, name, what]) =>
      finding('package-file-missing', `There is no ${name}: ${what}.`, `${files.folder}:1`),
    );
}

/** Findings that throw become findings; what is found nowhere else is told at the package's place. */
async function judged<T>(findings: Diagnostic[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (thrown) {
    const { code, message, location } = asToolcribError(thrown);
    if (code === 'internal') throw thrown;
    findings.push(finding('package-unusable', message, location));
    return undefined;
  }
}

/** Schemas that a gateway would take, with every property explained. */
function lintContract(contract: ToolContract, place: ReadContract['place']): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const part of ['input', 'output'] as const) {
    const { verdict, diagnostics } = lintSchema(contract[part]);
    for (const { pointer, message } of diagnostics) {
      const at = [part, ...pointer.split('/').slice(1)];
      const severity = verdict === 'reject' ? 'error' : 'warning';
      findings.push(finding('schema-refused', `${part}: ${message}`, place(at), severity));
    }
    for (const [name, schema] of Object.entries(propertiesOf(contract[part]))) {
      if (isObject(schema) && typeof schema['description'] === 'string') continue;
      const message = `${part}: property ${name} has no description, and a model has nothing else to go by.`;
      findings.push(finding('property-undescribed', message, place([part, 'properties', name]), 'warning'));
    }
  }
  if (contract.input['additionalProperties'] !== false) {
    const message = 'input: say "additionalProperties": false, so that a misspelt argument is refused.';
    findings.push(finding('input-open', message, place(['input']), 'warning'));
  }
  return findings;
}

function lintGuide(guide: ToolGuide, contract: ToolContract | undefined, file: string): Diagnostic[] {
  const findings = guide.problems.map(({ line, message }) =>
    finding('example-unreadable', message, `${file}:${line}`),
  );
  if (contract !== undefined && guide.title !== contract.name) {
    const message = `It has to begin with "# ${contract.name}", the name in ${CONTRACT_FILE}.`;
    findings.push(finding('guide-title', message, `${file}:1`));
  }
  for (const section of SECTIONS) {
    const { text, line } = guide.sections.get(section) ?? {};
    if (text === undefined)
      findings.push(finding('guide-section-missing', `There is no "## ${section}".`, `${file}:1`));
    else if (text.trim() === '')
      findings.push(finding('guide-section-empty', `"## ${section}" says nothing.`, `${file}:${line}`));
  }
  if (contract !== undefined) {
    findings.push(...unnamed(guide, 'Inputs', contract.input, file));
    findings.push(...unnamed(guide, 'Outputs', contract.output, file));
  }
  if (guide.examples.length === 0 && guide.problems.length === 0) {
    const message = 'There is no example: a block ```json input, and ```json output after it.';
    findings.push(
      finding('example-missing', message, `${file}:${guide.sections.get('Examples')?.line ?? 1}`),
    );
  }
  return findings;
}

/** Each property of a schema is named in its section. */
function unnamed(guide: ToolGuide, section: Section, schema: JsonSchema, file: string): Diagnostic[] {
  const there = guide.sections.get(section);
  if (there === undefined) return [];
  return Object.keys(propertiesOf(schema))
    .filter((name) => !there.text.includes(`\`${name}\``))
    .map((name) =>
      finding(
        'guide-property-missing',
        `"## ${section}" does not name \`${name}\`.`,
        `${file}:${there.line}`,
      ),
    );
}

function differences({ differences, contract }: ToolPackage, { place }: ReadContract): Diagnostic[] {
  return differences.map((member) =>
    finding(
      'code-differs',
      `The code of ${contract.name} says another ${member} than ${CONTRACT_FILE}.`,
      place([member]),
    ),
  );
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isObject(properties) ? properties : {};
}

function finding(
  code: string,
  message: string,
  location: string | undefined,
  severity: Severity = 'error',
): Diagnostic {
  return { code, severity, message, ...(location === undefined ? {} : { location }) };
}
