import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StartupError } from '../startup.ts'
import { type EmbeddedPostgres, resolvePostgresBinaries, startEmbeddedPostgres } from './embedded.ts'
import { APPLICATION_ROLE } from './embedded-cluster.ts'
import { isProcessRunning, sleep, waitForProcessExit } from './embedded-process.ts'

let root = ''
/** A cluster made once and copied, since each initdb takes most of a second. */
let template = ''
let made = 0
const servers: ChildProcess[] = []

const fresh = async () => {
  const dir = path.join(root, `data-${++made}`)
  await mkdir(dir)
  await cp(path.join(template, 'cluster'), path.join(dir, 'cluster'), { recursive: true })
  return dir
}

const ask = async (url: string, sql: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Another server process on the same folder, which the test kills or stops. */
const otherServer = async (dir: string) => {
  const code = `import { startEmbeddedPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded.ts'))}
    const db = await startEmbeddedPostgres(${JSON.stringify(dir)})
    process.once('SIGTERM', () => db.stop().then(() => process.exit(0)))
    console.log(db.pid)
    setInterval(() => undefined, 1000)`
  const options = ['--input-type=module-typescript', '-e', code]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  servers.push(child)
  const failed = once(child, 'exit').then(([status]) => Promise.reject(new Error(`the other server left: ${status}`)))
  const [line] = await Promise.race([once(child.stdout, 'data'), failed])
  failed.catch(() => {})
  const end = async (signal: NodeJS.Signals) => {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return { postmaster: Number(line), end }
}

const using = async (dir: string, work: (db: EmbeddedPostgres) => Promise<void>) => {
  const db = await startEmbeddedPostgres(dir)
  try {
    await work(db)
  } finally {
    await db.stop()
  }
}

const catchStartupError = async (dir: string) => {
  const error = await startEmbeddedPostgres(dir).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartupError)
  return String(error)
}

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'voisol-db-'))
  await chmod(root, 0o755)
  template = path.join(root, 'template')
  await using(template, async (db) => {
    await ask(db.ownerUrl, `create table note (text text); grant all on note to ${APPLICATION_ROLE}`)
  })
})

afterAll(async () => {
  for (const server of servers) server.kill('SIGTERM')
  await rm(root, { recursive: true, force: true })
})

describe('embedded PostgreSQL', () => {
  test('creates a durable UTF-8 cluster without network access', async () => {
    await using(path.join(root, 'cold'), async (db) => {
      const settings = `select current_database() as name, current_setting('fsync') as fsync,
        current_setting('listen_addresses') as network, current_setting('server_encoding') as encoding,
        (select datlocale from pg_database where datname = current_database()) as locale`
      expect(await ask(db.url, settings)).toEqual([
        { name: 'voisol', fsync: 'on', network: '', encoding: 'UTF8', locale: 'C.UTF-8' },
      ])
    })
  })

  test('stops, and starts again with its rows', async () => {
    const dir = await fresh()
    let pid = 0
    await using(dir, async (db) => {
      pid = db.pid
      await ask(db.url, "insert into note values ('é')")
    })
    expect(isProcessRunning(pid)).toBe(false)
    await using(dir, async (db) => expect(await ask(db.url, 'select text from note')).toEqual([{ text: 'é' }]))
  })

  test('restarts by itself after a kill -9 of PostgreSQL, without loss', async () => {
    await using(await fresh(), async (db) => {
      await ask(db.url, "insert into note values ('kept')")
      const killed = db.pid
      process.kill(killed, 'SIGKILL')
      while (db.pid === killed) await sleep(50)
      expect(await ask(db.url, 'select text from note')).toEqual([{ text: 'kept' }])
    })
  })

  test('recovers when server and PostgreSQL were both killed', async () => {
    const dir = await fresh()
    const other = await otherServer(dir)
    await other.end('SIGKILL')
    process.kill(other.postmaster, 'SIGKILL')
    await using(dir, async (db) => {
      expect(db.pid).not.toBe(other.postmaster)
      expect(await ask(db.url, 'select count(*)::int as n from note')).toEqual([{ n: 0 }])
    })
  })

  test('adopts the PostgreSQL of a killed server, then stops it', async () => {
    const dir = await fresh()
    const other = await otherServer(dir)
    await other.end('SIGKILL')
    expect(isProcessRunning(other.postmaster)).toBe(true)
    await using(dir, async (db) => expect(db.pid).toBe(other.postmaster))
    expect(isProcessRunning(other.postmaster)).toBe(false)
  })

  test('shares the folder with a running server, and leaves it its PostgreSQL', async () => {
    const dir = await fresh()
    const other = await otherServer(dir)
    await using(dir, async (db) => expect(db.pid).toBe(other.postmaster))
    expect(isProcessRunning(other.postmaster)).toBe(true)
    await other.end('SIGTERM')
    expect(isProcessRunning(other.postmaster)).toBe(false)
  })

  test('survives the server that started PostgreSQL', async () => {
    const dir = await fresh()
    const other = await otherServer(dir)
    await using(dir, async (db) => {
      await other.end('SIGTERM')
      while (db.pid === other.postmaster) await sleep(50)
      expect(await ask(db.url, 'select count(*)::int as n from note')).toEqual([{ n: 0 }])
    })
  })

  test('refuses a folder in use on another machine, and takes one that was abandoned', async () => {
    const dir = await fresh()
    const owner = path.join(dir, 'owner.json')
    await writeFile(owner, JSON.stringify({ pid: 4711, startedAt: '1', token: 'x', host: 'autre-machine 0 pid:[1]' }))
    // Shows that it is alive, as every owner does.
    const beating = setInterval(() => void utimes(owner, new Date(), new Date()), 200)
    const message = await catchStartupError(dir).finally(() => clearInterval(beating))
    expect(message).toMatch(/utilisé par un autre Voisol, .*«\sautre-machine\s» \(processus 4711\)/)
    expect(existsSync(path.join(dir, 'cluster/postmaster.pid'))).toBe(false)
    await using(dir, async (db) => expect(await ask(db.url, 'select 1 as one')).toEqual([{ one: 1 }]))
  })

  test('an owner shows every two seconds that it is alive; a second server knows the owner', async () => {
    const dir = await fresh()
    const other = await otherServer(dir)
    const owner = path.join(dir, 'owner.json')
    const from = (await stat(owner)).mtimeMs
    while ((await stat(owner)).mtimeMs === from) await sleep(50)
    await using(dir, async (db) => expect(db.sharedWith).toBe(JSON.parse(await readFile(owner, 'utf8')).pid))
    await other.end('SIGTERM')
    await using(dir, async (db) => expect(db.sharedWith).toBeUndefined())
  })

  test('two servers that start at once share one PostgreSQL', async () => {
    const dir = path.join(root, 'race')
    const [one, two] = await Promise.all([otherServer(dir), otherServer(dir)])
    expect(one.postmaster).toBe(two.postmaster)
    await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
    expect(await waitForProcessExit(one.postmaster, 5000)).toBe(true)
    expect((await readdir(dir)).filter((name) => name.includes('init'))).toEqual([])
  })

  test('removes a lock whose process id was reused by another program', async () => {
    const dir = await fresh()
    const lock = [process.pid, path.join(dir, 'cluster'), 0, 5432, path.join(dir, 'socket'), '', '0 0', 'ready']
    await writeFile(path.join(dir, 'cluster/postmaster.pid'), `${lock.join('\n')}\n`)
    await using(dir, async (db) => expect(await ask(db.url, 'select 1 as one')).toEqual([{ one: 1 }]))
  })

  test('removes what an interrupted creation left', async () => {
    const dir = path.join(root, 'half')
    await mkdir(path.join(dir, 'cluster.init-999999999/base'), { recursive: true })
    await using(dir, async (db) => expect(await ask(db.url, 'select 1 as one')).toEqual([{ one: 1 }]))
    expect(await readdir(dir)).not.toContain('cluster.init-999999999')
  })

  test('works under a path too long for a socket', async () => {
    const dir = path.join(root, 'très-long-'.repeat(12))
    await using(dir, async (db) => {
      expect(await ask(db.url, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(decodeURIComponent(db.url)).not.toContain(dir)
    })
  })

  test.runIf(process.getuid?.() === 0)('works as root below a folder closed to others', async () => {
    const closed = path.join(root, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await using(path.join(closed, 'data'), async (db) =>
      expect(await ask(db.url, 'select 1 as one')).toEqual([{ one: 1 }]),
    )
  })
})

describe('a folder that cannot be used', () => {
  test('reports a foreign or damaged folder, and leaves it alone', async () => {
    const dir = path.join(root, 'foreign')
    await mkdir(path.join(dir, 'cluster'), { recursive: true })
    await writeFile(path.join(dir, 'cluster/letter.txt'), 'mine')
    expect(await catchStartupError(dir)).toMatch(/PG_VERSION est illisible\. Rien n’a été effacé/)
    expect(await readdir(path.join(dir, 'cluster'))).toEqual(['letter.txt'])
  })

  test('quotes PostgreSQL when its control file is damaged', async () => {
    const dir = await fresh()
    await writeFile(path.join(dir, 'cluster/global/pg_control'), Buffer.alloc(8192, 7))
    expect(await catchStartupError(dir)).toMatch(/n’a pas pu démarrer sur le dossier .*Rien n’a été effacé/)
    expect(existsSync(path.join(dir, 'cluster/base'))).toBe(true)
  })

  test('states the version of an older cluster', async () => {
    const dir = await fresh()
    await writeFile(path.join(dir, 'cluster/PG_VERSION'), '15\n')
    expect(await catchStartupError(dir)).toContain('vient de PostgreSQL 15')
  })

  test('reports a data folder that is a file', async () => {
    const file = path.join(root, 'file')
    await writeFile(file, '')
    expect(await catchStartupError(path.join(file, 'data'))).toContain('DATA_DIR')
  })
})

test('finds the programs of this machine', async () => {
  const { postgres, initdb } = await resolvePostgresBinaries()
  expect([existsSync(postgres), existsSync(initdb)]).toEqual([true, true])
})
