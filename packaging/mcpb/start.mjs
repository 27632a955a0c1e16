// What a desktop client starts: its settings, handed over as variables, become words of `toolcrib serve --stdio`.
/** Undefined for what was left empty, which some clients hand over as the placeholder itself. */
function setting(name) {
  const value = (process.env[`TOOLCRIB_BUNDLE_${name}`] ?? '').trim();
  return value === '' || value.startsWith('${user_config.') ? undefined : value;
}

const configuration = setting('CONFIGURATION');
const document = setting('DOCUMENT');
const baseUrl = setting('BASE_URL');
const words = ['serve', '--stdio'];
if (configuration !== undefined) words.push('--config', configuration);
else if (document !== undefined) {
  words.push(document);
  if (baseUrl !== undefined) words.push('--base-url', baseUrl);
  // by reference: the key itself stands in no argument
  if (setting('KEY') !== undefined)
    for (const scheme of ['bearer', 'apiKey']) words.push('--auth', `${scheme}=env:TOOLCRIB_BUNDLE_KEY`);
}
process.argv.splice(2, Infinity, ...words);
await import('./node_modules/toolcrib/bin/toolcrib.mjs');
