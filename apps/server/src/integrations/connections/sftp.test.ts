import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasSshd, startSshd } from '../../../test/sshd.ts'
import { createOutboundClient } from '../post/outbound-client.ts'
import { ConnectionFault } from './connector.ts'
import { sftpConnector } from './sftp.ts'

const tools = { outside: createOutboundClient({ inner: true }), weather: { local: null } }
const parcel = (name: string, path: string) => ({ name, path, bytes: 0, sha256: '', mediaType: 'text/plain' })

describe.skipIf(!hasSshd)('against OpenSSH (skipped where sshd is not installed)', () => {
  let server: Awaited<ReturnType<typeof startSshd>>
  beforeAll(async () => {
    server = await startSshd()
  })
  afterAll(() => server.close())
  const opened = (more: object = {}, hostKey = '') => ({ settings: { ...server.settings, ...more }, hostKey })

  test('the test leaves no file behind, and reports the host key of the server', async () => {
    const { hostKey, facts } = await sftpConnector.test(tools, opened(), 'a@exemple.fr')
    expect(hostKey).toMatch(/^SHA256:[\w+/]{43}$/)
    expect(facts).toEqual([{ label: 'Empreinte de la clé du serveur', value: hostKey, ok: true }])
    expect(readdirSync(server.drop)).toEqual([])
  })

  test('a file arrives complete under its name, and replaces the previous one', async () => {
    const path = join(server.drop, '..', 'source')
    const { hostKey } = await sftpConnector.test(tools, opened(), '')
    for (const content of ['première version', 'seconde, plus longue que la première']) {
      writeFileSync(path, content)
      await sftpConnector.deliver?.(tools, opened({}, hostKey), parcel('releve.csv', path))
      expect(readdirSync(server.drop)).toEqual(['releve.csv'])
      expect(readFileSync(join(server.drop, 'releve.csv'), 'utf8')).toBe(content)
    }
  })

  test('a source that breaks off leaves neither half a file nor a temporary one', async () => {
    const before = statSync(join(server.drop, 'releve.csv')).mtimeMs
    const { hostKey } = await sftpConnector.test(tools, opened(), '')
    const broken = sftpConnector.deliver?.(tools, opened({}, hostKey), parcel('releve.csv', '/nulle/part'))
    await expect(broken).rejects.toBeInstanceOf(ConnectionFault)
    expect(readdirSync(server.drop)).toEqual(['releve.csv'])
    expect(statSync(join(server.drop, 'releve.csv')).mtimeMs).toBe(before)
  })

  test.each([
    [{ folder: '/nulle/part' }, 'Ce dossier n’existe pas'],
    [{ folder: '/etc' }, 'refuse l’écriture'],
    [{ user: 'inconnu' }, 'refuse cet utilisateur'],
    [{ privateKey: 'rien' }, 'La clé privée ne se lit pas'],
  ])('%j gives a sentence', async (more, words) => {
    const failed = await sftpConnector.test(tools, opened(more), '').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ConnectionFault)
    expect(failed).toMatchObject({ message: expect.stringContaining(words), hopeless: true })
  })

  test('a server with another host key gets no secret, and the new key is reported', async () => {
    const { hostKey } = await sftpConnector.test(tools, opened(), '')
    await server.changeKey()
    const failed = await sftpConnector.test(tools, opened({}, hostKey), '').catch((error: unknown) => error)
    expect(failed).toMatchObject({ message: expect.stringContaining('La clé de ce serveur a changé'), hopeless: true })
    const { offeredKey } = failed as ConnectionFault // the rejection is checked above
    expect(offeredKey).not.toBe(hostKey)
    expect((await sftpConnector.test(tools, opened({}, offeredKey), '')).hostKey).toBe(offeredKey)
  })
})

test('a password is asked of the server, and never shown to one whose key is not the known one, nor is anything delivered to one whose key nobody has seen', async () => {
  const { private: key } = ssh2.utils.generateKeyPairSync('ed25519')
  const tried: string[] = []
  const server = new ssh2.Server({ hostKeys: [key] }, (client) => {
    client.on('authentication', (ctx) => {
      if (ctx.method === 'password') tried.push(ctx.password)
      ctx.reject(['password'])
    })
    client.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number } // it listens
  const settings = { host: '127.0.0.1', port: String(port), user: 'depot', password: 'ouvre-toi 47', folder: '.' }
  await expect(sftpConnector.test(tools, { settings, hostKey: '' }, '')).rejects.toThrow('refuse cet utilisateur')
  expect(tried).toEqual(['ouvre-toi 47'])
  await expect(sftpConnector.test(tools, { settings, hostKey: 'SHA256:autre' }, '')).rejects.toThrow('a changé')
  expect(tried).toHaveLength(1)
  const gone = async () => sftpConnector.deliver?.(tools, { settings, hostKey: '' }, parcel('a.csv', '/nulle/part'))
  await expect(gone()).rejects.toMatchObject({ message: expect.stringContaining('pas encore connue'), hopeless: true })
  expect(tried).toHaveLength(1)
  server.close()
})
