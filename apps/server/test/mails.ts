import { expect } from 'vitest'
import type { TestServer } from './client.ts'

const isMailTo = (address: string) => (mail: { to?: { address?: string }[] | undefined }) =>
  mail.to?.some((one) => one.address === address) ?? false

/** The messages caught for an address, newest first. */
export const listMailsTo = async (server: TestServer, address: string) =>
  (await server.catcher.messages()).filter(isMailTo(address))

/** Waits until an address has received that many messages, and returns them, newest first. */
export async function waitForMails(server: TestServer, address: string, minCount = 1) {
  await expect.poll(async () => (await listMailsTo(server, address)).length).toBeGreaterThanOrEqual(minCount)
  return listMailsTo(server, address)
}

/**
 * The token of the newest link named `name` (`reset`, `invitation`), once an address has received that many of them.
 */
export async function waitForLink(server: TestServer, address: string, name: string, minCount = 1): Promise<string> {
  const link = new RegExp(`/login\\?${name}=([\\w-]+)`)
  const tokens = async () =>
    (await listMailsTo(server, address))
      .map(({ text }) => link.exec(text ?? '')?.[1])
      .filter((token) => token !== undefined)
  await expect.poll(async () => (await tokens()).length).toBeGreaterThanOrEqual(minCount)
  return (await tokens())[0] ?? ''
}

/** The one-click unsubscribe request of a mail program. */
export const postOneClickUnsubscribe = (server: TestServer, url: string) =>
  server.app.inject({
    method: 'POST',
    url: new URL(url, 'http://localhost').pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
