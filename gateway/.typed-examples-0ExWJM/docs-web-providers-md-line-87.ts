import { BraveSearchProvider, createWebTools, type WebSettings } from 'toolcrib';

const brave = new BraveSearchProvider({ apiKey: { env: 'BRAVE_API_KEY' } });
const { results } = await brave.search('spring tides', 5);

let current: WebSettings = { search: ['brave', { provider: 'searxng', baseUrl: 'https://search.example' }] };
const tools = createWebTools(() => current);   // asked anew at every call
