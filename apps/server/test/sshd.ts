import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'

const PROGRAM = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  .map((folder) => join(folder, 'sshd'))
  .find((path) => existsSync(path))
/** Where Debian's OpenSSH server is not installed, its suite is skipped and says so. */
export const hasSshd = PROGRAM !== undefined
const NOBODY = 65534

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

const newKey = (path: string) => execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])

/** A real server, of one user without rights, whose drop is `drop`. */
export async function startSshd() {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-sshd-'))
  const path = (name: string) => join(folder, name)
  chmodSync(folder, 0o755)
  mkdirSync(path('drop'))
  newKey(path('client'))
  const root = process.getuid?.() === 0
  const user = root ? 'nobody' : userInfo().username
  const port = await freePort()
  const makeHostKey = () => {
    rmSync(path('host'), { force: true })
    newKey(path('host'))
    if (root) chownSync(path('host'), NOBODY, NOBODY)
  }
  makeHostKey()
  if (root) chownSync(path('drop'), NOBODY, NOBODY)
  writeFileSync(
    path('conf'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${path('host')}`,
      `AuthorizedKeysFile ${path('client.pub')}`,
      'StrictModes no',
      'UsePAM yes',
      'PidFile none',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'Subsystem sftp internal-sftp',
    ].join('\n'),
  )
  let child: ChildProcess | undefined
  const start = async () => {
    const own = root ? { uid: NOBODY, gid: NOBODY } : {}
    const running = spawn(PROGRAM ?? 'sshd', ['-D', '-e', '-f', path('conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...own,
    })
    child = running
    let words = ''
    await new Promise<void>((resolve, reject) => {
      running.stderr.on('data', (part) => {
        words += part
        if (words.includes('listening on')) resolve()
      })
      running.once('exit', () => reject(new Error(`sshd ended: ${words}`)))
    })
  }
  const stop = async () => {
    if (!child || child.exitCode !== null) return
    child.kill()
    await once(child, 'exit')
  }
  await start()
  return {
    drop: path('drop'),
    settings: {
      host: '127.0.0.1',
      port: String(port),
      user,
      privateKey: readFileSync(path('client'), 'utf8'),
      folder: path('drop'),
    },
    /** The same server with another key, as after a new installation, or somebody in between. */
    async changeKey() {
      await stop()
      makeHostKey()
      await start()
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
