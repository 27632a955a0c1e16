import fc from 'fast-check';

/** The same cases in every run, so that a red one is red again. `TOOLCRIB_TEST_SEED=random`, or a number, looks for others. */
const given = process.env['TOOLCRIB_TEST_SEED'] ?? '20261121';
if (given !== 'random') fc.configureGlobal({ seed: Number(given) });

export default fc;
