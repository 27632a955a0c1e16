// By hand only: calls the real Open-Meteo through the quickstart. Needs a network; CI never runs it.
// npm run build && node examples/quickstart/live-check.mjs
import { fileURLToPath } from 'node:url';
import { createGateway, loadConfiguration } from 'toolcrib';

const file = fileURLToPath(new URL('toolcrib.yaml', import.meta.url));
const gateway = await createGateway(await loadConfiguration({ file, env: process.env, cwd: process.cwd() }));
try {
  const places = await gateway.call({ tool: 'searchPlaces', arguments: { name: 'Lisbon', count: 1 } });
  if (places.error) throw new Error(places.error.message);
  const [{ name, latitude, longitude }] = places.structured.results;
  const forecast = await gateway.call({
    tool: 'getForecast',
    arguments: { latitude, longitude, current: ['temperature_2m'] },
  });
  if (forecast.error) throw new Error(forecast.error.message);
  console.log(`${name}: ${forecast.structured.current.temperature_2m} °C`);
} finally {
  await gateway.close();
}
