import { expect } from 'vitest'
import type { Server } from './client.ts'

const to = (address: string) => (mail: { to?: { address?: string }[] | undefined }) =>
  mail.to?.some((one) => one.address === address) ?? false

/** The messages caught for an address, newest first. */
export const mailsTo = async (server: Server, address: string) => (await server.catcher.messages()).filter(to(address))

/** Waits until an address has received so many messages, and gives them, newest first. */
export async function waitForMails(server: Server, address: string, least = 1) {
  await expect
    .poll(async () => (await mailsTo(server, address)).length, { timeout: 40_000 })
    .toBeGreaterThanOrEqual(least)
  return mailsTo(server, address)
}

/** The token of the newest link named `name` (`reset`, `invitation`), once an address has received so many of them. */
export async function waitForLink(server: Server, address: string, name: string, least = 1): Promise<string> {
  const link = new RegExp(`/login\\?${name}=([\\w-]+)`)
  const tokens = async () =>
    (await mailsTo(server, address))
      .map(({ text }) => link.exec(text ?? '')?.[1])
      .filter((token) => token !== undefined)
  await expect.poll(async () => (await tokens()).length, { timeout: 40_000 }).toBeGreaterThanOrEqual(least)
  return (await tokens())[0] ?? ''
}
