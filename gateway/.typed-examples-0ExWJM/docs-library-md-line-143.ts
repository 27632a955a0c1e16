import { createWebTools, type WebSettings } from 'toolcrib';

let settings: WebSettings = { search: { provider: 'searxng', baseUrl: 'https://search.example' }, scrape: 'direct' };
const web = createWebTools(() => settings); // asked anew at every call
const { results, unavailable } = await web.search('spring tides', 5);
settings = { ...settings, search: 'brave' }; // the next call goes there
await web.close();
