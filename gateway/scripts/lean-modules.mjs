/** A rolldown plugin for files that load fast: what it changes is what is written. */
export function leanModules() {
  return {
    name: 'lean-modules',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = asciiOnly(readBuiltins(file.code));
    },
  };
}

const IMPORT = /^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+)|\{ ([^{}]*) \})? from ("node:[\w/]+");$/gm;

/**
 * Of Node's own modules only what is used is read. An `import` reads every property of one, and some of them load
 * more: `node:crypto` and `node:util` bring WebCrypto, worker threads and what compares texts.
 */
function readBuiltins(code) {
  return code
    .replace(/^import "node:[\w/]+";\n/gm, '')
    .replace(IMPORT, (_line, whole, namespace, members, name) => {
      const from = `process.getBuiltinModule(${name})`;
      return [whole, namespace, members && `{ ${members.replaceAll(' as ', ': ')} }`]
        .filter(Boolean)
        .map((target) => `const ${target} = ${from};`)
        .join(' ');
    });
}

/** A file of ASCII alone is read as it stands; one dash more has all of it decoded, and takes twice the memory. */
function asciiOnly(code) {
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
