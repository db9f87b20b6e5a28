import type { TestServer } from './client.ts'

/** As a mail program posts that its reader wants no more of them. */
export const postOneClickUnsubscribe = (server: TestServer, url: string) =>
  server.app.inject({
    method: 'POST',
    url: new URL(url, 'http://localhost').pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
