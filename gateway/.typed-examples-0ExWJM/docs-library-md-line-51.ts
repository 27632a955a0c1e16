import { createGateway, loadConfiguration } from 'toolcrib';

const load = () => loadConfiguration({ cwd: process.cwd(), env: process.env });
const gateway = await createGateway(await load(), { reload: load }); // follows its file, as `toolcrib serve` does

const { added, changed, removed, afterRestart } = await gateway.reconfigure(await load()); // or when you say so
