import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ConfigurationOverrides } from '../../config/index.ts';

/** How operations become tools, and which: the names of the server that they come from. */
export interface SurfaceOptions {
  readonly mode?: string;
  readonly maxCategoryTools?: number;
  /** Settings for a known API, for documents on the command line. */
  readonly preset?: string;
  readonly permissionCheck?: boolean;
  readonly enableDaos?: boolean;
  readonly enableSpecialtyFeatures?: boolean;
}

/** What `--mode` means without a value. */
const DEFAULT_MODE = 'hybrid';
const MODES = ['hybrid', 'base_only', 'categories_only'];
/** Category tools that a list may have. */
const MAX_CATEGORY_TOOLS = 100;

export function withSurfaceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--mode [name]', 'older names for --topology: hybrid, base_only, categories_only')
        .preset(DEFAULT_MODE)
        .argParser(mode)
        .conflicts('topology'),
    )
    .option('--max-category-tools <number>', 'category tools of hybrid and categories (default: 10)', count)
    .option('--preset <name>', 'settings for a known API: croit, or a file of your own')
    .option('--no-permission-check', 'offer operations whatever permissions they ask for')
    .option('--enable-daos', 'switch the feature daos on')
    .option('--no-enable-daos', 'switch it off')
    .option('--enable-specialty-features', 'switch the feature specialty on')
    .option('--no-enable-specialty-features', 'switch it off');
}

/** What they say over the configuration; the preset is none of it. */
export function surfaceOverrides(options: SurfaceOptions): ConfigurationOverrides {
  const { mode: topology, maxCategoryTools, permissionCheck } = options;
  const features = switchedFeatures(options);
  return {
    ...(topology === undefined ? {} : { topology }),
    ...(maxCategoryTools === undefined ? {} : { maxCategoryTools }),
    ...(permissionCheck === false ? { permissionCheck } : {}),
    ...(Object.keys(features).length === 0 ? {} : { features }),
  };
}

/** The words that say the same to another command. */
export function surfaceWords(options: SurfaceOptions): string[] {
  const { mode: topology, maxCategoryTools, preset, permissionCheck } = options;
  const { enableDaos: daos, enableSpecialtyFeatures: specialty } = options;
  const words: string[] = [];
  if (topology !== undefined) words.push('--mode', topology);
  if (maxCategoryTools !== undefined) words.push('--max-category-tools', String(maxCategoryTools));
  if (preset !== undefined) words.push('--preset', preset);
  if (permissionCheck === false) words.push('--no-permission-check');
  if (daos !== undefined) words.push(daos ? '--enable-daos' : '--no-enable-daos');
  if (specialty !== undefined) {
    words.push(specialty ? '--enable-specialty-features' : '--no-enable-specialty-features');
  }
  return words;
}

function switchedFeatures({ enableDaos, enableSpecialtyFeatures }: SurfaceOptions): Record<string, boolean> {
  return {
    ...(enableDaos === undefined ? {} : { daos: enableDaos }),
    ...(enableSpecialtyFeatures === undefined ? {} : { specialty: enableSpecialtyFeatures }),
  };
}

/** A document behind `--mode` would be taken for its value. */
function mode(text: string): string {
  if (MODES.includes(text)) return text;
  throw new InvalidArgumentError(`Use ${MODES.join(', ')}; documents go before it.`);
}

function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= MAX_CATEGORY_TOOLS) return value;
  throw new InvalidArgumentError(`Use a number from 0 to ${MAX_CATEGORY_TOOLS}.`);
}
