import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'

const SSHD_PATH = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  .map((folder) => join(folder, 'sshd'))
  .find((path) => existsSync(path))
/** Where OpenSSH's server is not installed, its suite is skipped and says so. */
export const hasSshd = SSHD_PATH !== undefined
const NOBODY_UID = 65534

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

const generateKeyFile = (path: string) => execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])

/** A real server with one unprivileged user, whose upload folder is `drop`. */
export async function startSshd() {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-sshd-'))
  const path = (name: string) => join(folder, name)
  chmodSync(folder, 0o755)
  mkdirSync(path('drop'))
  generateKeyFile(path('client'))
  const root = process.getuid?.() === 0
  const user = root ? 'nobody' : userInfo().username
  const port = await findFreePort()
  const makeHostKey = () => {
    rmSync(path('host'), { force: true })
    generateKeyFile(path('host'))
    if (root) chownSync(path('host'), NOBODY_UID, NOBODY_UID)
  }
  makeHostKey()
  if (root) chownSync(path('drop'), NOBODY_UID, NOBODY_UID)
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
    const own = root ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}
    const running = spawn(SSHD_PATH ?? 'sshd', ['-D', '-e', '-f', path('conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...own,
    })
    child = running
    let output = ''
    await new Promise<void>((resolve, reject) => {
      running.stderr.on('data', (part) => {
        output += part
        if (output.includes('listening on')) resolve()
      })
      running.once('exit', () => reject(new Error(`sshd ended: ${output}`)))
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
    /** The same server with another host key, as after a reinstallation or with a man in the middle. */
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
