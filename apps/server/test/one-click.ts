import type { TestServer } from './client.ts'

/** The one-click unsubscribe request of a mail program. */
export const postOneClickUnsubscribe = (server: TestServer, url: string) =>
  server.app.inject({
    method: 'POST',
    url: new URL(url, 'http://localhost').pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
