/** A number within the schema's limits; whole for `integer`, with a fraction for `number` where one fits. */
export function numberFor(schema, type, n) {
  const step = schema.multipleOf ?? 1;
  const low = lowest(schema, step);
  const high = highest(schema, step);
  const wanted = 1 + n;
  if (type === 'number' && schema.multipleOf === undefined && within(wanted + 0.5, low, high))
    return wanted + 0.5;
  const start = within(wanted, low, high) ? wanted : Number.isFinite(low) ? low + n * step : high - n * step;
  const rounded = Math.ceil(start / step) * step;
  const value = within(rounded, low, high) ? rounded : Math.floor(start / step) * step;
  return Number(value.toPrecision(15));
}

function lowest({ minimum = Number.NEGATIVE_INFINITY, exclusiveMinimum }, step) {
  return typeof exclusiveMinimum === 'number'
    ? Math.max(minimum, exclusiveMinimum + smallStep(step))
    : minimum;
}

function highest({ maximum = Number.POSITIVE_INFINITY, exclusiveMaximum }, step) {
  return typeof exclusiveMaximum === 'number'
    ? Math.min(maximum, exclusiveMaximum - smallStep(step))
    : maximum;
}

const smallStep = (step) => Math.min(step, 1);
const within = (value, low, high) => value >= low && value <= high;
