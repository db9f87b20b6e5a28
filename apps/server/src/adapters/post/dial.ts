import { lookup } from 'node:dns'
import { connect, type Socket } from 'node:net'
import { isPrivateHost } from './addresses.ts'
import { createPublicLookup, RefusedAddressError } from './post.ts'

const TIMEOUT_MS = 10_000
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?$/i

/** The host as the system would parse it: 0x7f000001, 127.1 and 2130706433 are addresses too. */
export function normalizeHost(text: string): string | undefined {
  const host = text.includes(':') ? `[${text.replace(/^\[|\]$/g, '')}]` : text
  if (!text.includes(':') && !HOST_NAME.test(text)) return undefined
  return URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, '') : undefined
}

/** Why a host may not be called with another protocol than HTTP. */
export function findHostRefusal(text: string, port: number, usual: readonly number[], opened: string) {
  const host = normalizeHost(text)
  if (!host) return 'Un nom de serveur est attendu, par exemple sftp.exemple.fr, sans rien devant ni derrière.'
  if (isPrivateHost(host))
    return 'Ce serveur n’est pas joignable depuis internet\u00a0: donnez un nom de domaine public.'
  const open = usual.includes(port) || opened.split(',').some((one) => one.trim() === String(port))
  return open ? undefined : `Le port ${port} n’est pas permis\u00a0: ${usual.join(', ')} le sont sur ce serveur.`
}

/** A TCP connection to a host chosen by a user; its address is checked when the connection is made. */
export function connectToHost(text: string, port: number, guarded: boolean, resolve = lookup): Promise<Socket> {
  const host = normalizeHost(text)
  if (!host || (guarded && isPrivateHost(host))) throw new RefusedAddressError(`${text} is not public`)
  return new Promise((done, reject) => {
    const socket = connect({ host, port, ...(guarded && { lookup: createPublicLookup(resolve) }) })
    const give = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.setTimeout(TIMEOUT_MS, () => give(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    socket.once('error', give).once('connect', () => {
      socket.off('error', give).setTimeout(0)
      done(socket)
    })
  })
}
