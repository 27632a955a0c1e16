// A stand-in for Open-Meteo on the loopback interface: what its three operations answer, checked as it checks.
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

const LISBON = {
  id: 2267057,
  name: 'Lisbon',
  latitude: 38.72,
  longitude: -9.14,
  country_code: 'PT',
  country: 'Portugal',
  timezone: 'Europe/Lisbon',
  population: 517802,
};

const ANSWERS = {
  '/v1/search': (query) => ({
    ...(query.get('name') === 'Lisbon' ? { results: [LISBON] } : {}),
    generationtime_ms: 0.5,
  }),
  '/v1/forecast': (query) => {
    const variables = (query.get('current') ?? '').split(',');
    const values = { temperature_2m: 17.4, weather_code: 2 };
    const units = { temperature_2m: '°C', weather_code: 'wmo code' };
    const chosen = (all) =>
      Object.fromEntries(variables.filter((name) => name in all).map((name) => [name, all[name]]));
    return {
      latitude: Number(query.get('latitude')),
      longitude: Number(query.get('longitude')),
      current_units: { time: 'iso8601', ...chosen(units) },
      current: { time: '2026-11-22T12:00', interval: 900, ...chosen(values) },
    };
  },
  '/v1/air-quality': (query) => ({
    latitude: Number(query.get('latitude')),
    longitude: Number(query.get('longitude')),
    current: { time: '2026-11-22T12:00', interval: 3600, european_aqi: 18 },
  }),
};

/** Listens on a free port; `log` has every request target, in order. */
export async function startOpenMeteo() {
  const log = [];
  const listener = (request, response) => {
    log.push(`${request.method} ${request.url}`);
    const { pathname, searchParams } = new URL(request.url, 'http://open-meteo.test');
    const answer = ANSWERS[pathname];
    if (answer === undefined) return answerJson(response, 404, { error: true, reason: 'Not Found' });
    return answerJson(response, 200, answer(searchParams));
  };
  return { ...(await listenOnLoopback(listener)), log };
}
