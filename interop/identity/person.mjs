// Somebody in a browser: follows addresses, keeps cookies, signs in and agrees where a page asks for it.

/** Opens an address, says who it is, agrees, and returns where the browser ends: the first address that `isEnd` takes. */
export async function agree(address, login, isEnd, jar = new Map()) {
  let request = { url: address };
  for (let hop = 0; hop < 20; hop++) {
    if (isEnd(new URL(request.url))) return request.url;
    const { url, ...init } = request;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get('location');
    const page = await answer.text();
    if (location !== null) request = { url: new URL(location, url).href };
    else request = submitted(page, url, login);
  }
  throw new Error(`The browser went in circles: ${request.url}`);
}

function submitted(page, url, login) {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) throw new Error(`No form at ${url}: ${page.replace(/\s+/g, ' ').slice(0, 1500)}`);
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = new URLSearchParams(hidden.map(([, name, value]) => [name, value]));
  if (page.includes('name="login"')) {
    fields.set('login', login);
    fields.set('password', 'any');
  }
  return { url: new URL(action, url).href, method: 'POST', body: fields };
}
