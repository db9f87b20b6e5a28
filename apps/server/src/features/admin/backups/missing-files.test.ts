import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureSiteOwner, makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { startS3Simulator } from '../../../../test/s3.ts'
import { useServer } from '../../../../test/server.ts'
import { checkCopies, checkStoredFiles } from '../../../cli/doctor/check-stored-data.ts'
import { getFileKey, storeFile } from '../../../core/stored-files.ts'
import type { Deps } from '../../../deps.ts'
import { createFolderStore, type FileStore } from '../../../integrations/files/files.ts'
import { createS3Store } from '../../../integrations/files/s3.ts'
import { listCopies, openCopyStore, removeCopy } from './copy-store.ts'
import { backupJobs } from './jobs.ts'
import { describeMissingFiles, findMissingFiles } from './missing-files.ts'
import { makeCopy } from './write-copy.ts'

const server = useServer()
const TASK = { id: '', signal: AbortSignal.timeout(600_000) }
const NAMES = ['statuts.pdf', 'bail.pdf', 'plan.png']
let companyId = 0
let admin: Awaited<ReturnType<typeof makeUser>>
let keys: string[] = []

beforeAll(async () => {
  companyId = await ensureSiteOwner(server.db)
  admin = await makeUser(server.db, { companyId })
  for (const name of NAMES) {
    const content = Buffer.from(`le contenu de ${name}`)
    keys.push(
      getFileKey(await storeFile(server.db, server.deps.files, companyId, { name, mediaType: 'text/plain', content })),
    )
  }
  keys = keys.sort()
})
beforeEach(async () => {
  const place = openCopyStore(server.deps.config)
  for (const { manifest } of await listCopies(place)) await removeCopy(place, manifest.name)
  await server.asOwner('delete from copy_runs')
})

const withEmptyFileStore = (): Deps => ({
  ...server.deps,
  files: createFolderStore(`${server.deps.config.dataDir}/elsewhere`),
})
const listRuns = async () =>
  (await server.asOwner('select state, copy, failure from copy_runs order by started_at')).rows as {
    state: string
    copy: string
    failure: string | null
  }[]

describe.each([
  [
    'a folder',
    async () => ({ store: createFolderStore(`${server.deps.config.dataDir}/wrong`), close: async () => {} }),
  ],
  [
    'a bucket',
    async () => {
      const { settings, close } = await startS3Simulator()
      const store = createS3Store(settings)
      if (!store) throw new Error('not configured')
      return { store, close }
    },
  ],
] satisfies [string, () => Promise<{ store: FileStore; close: () => Promise<unknown> }>][])('in %s', (_, open) => {
  test('recorded files that the store lacks are found, those it has are not', async () => {
    const { store, close } = await open()
    expect(await findMissingFiles(server.db, server.deps.files)).toEqual({ recorded: 3, missing: [] })
    const none = await findMissingFiles(server.db, store)
    expect([none.recorded, none.missing.map(({ name }) => name).sort()]).toEqual([3, [...NAMES].sort()])
    await store.put(keys[0] ?? '', Buffer.from('x'), 'text/plain')
    const some = await findMissingFiles(server.db, store)
    expect(some.missing.map(({ key }) => key)).toEqual(keys.slice(1))
    await store.remove(keys[0] ?? '')
    await close()
  })
})

test('more missing files than are named: the first five, and how many others', () => {
  const missing = Array.from({ length: 7 }, (_, i) => ({ key: `1/${String(i).repeat(64)}`, name: `f${i}.pdf` }))
  const text = describeMissingFiles(missing, 1207)
  expect(text).toMatch(/^7 fichiers enregistrés sur 1\s207 manquent\u00a0: f0\.pdf \(1\/000000000000\), /)
  expect(text).toMatch(/f4\.pdf \(1\/444444444444\) et 2 autres$/)
  expect(describeMissingFiles(missing.slice(0, 1), 1)).toMatch(/^1 fichier enregistré sur 1 manque\u00a0: /)
})

test('the night’s copy of a database whose files are elsewhere is made, has failed, and is told', async () => {
  await backupJobs['copies.make'].run(withEmptyFileStore(), { askedBy: 'Voisol', prove: true }, TASK)
  const [run] = await listRuns()
  expect(run).toMatchObject({ state: 'failed', copy: expect.stringMatching(/^voisol-/) })
  expect(run?.failure).toMatch(/3 fichiers enregistrés sur 3 manquent\u00a0: /)
  // Who keeps the installation has no right on the files of its companies.
  for (const name of NAMES) expect(run?.failure).not.toContain(name)
  await waitForJobs(server)
  const [mail] = await listMailsTo(server, admin.email)
  expect(mail?.subject).toBe('La copie de l’installation a échoué')
  expect(mail?.text).toContain('3 fichiers enregistrés sur 3')
  const [sheet] = await listCopies(openCopyStore(server.deps.config))
  expect(sheet?.manifest.files).toMatchObject({ missing: keys })
})

test('an incomplete copy read again has failed, and doctor names what it and the store lack', async () => {
  const { manifest } = await makeCopy(withEmptyFileStore())
  await backupJobs['copies.verify'].run(server.deps, { askedBy: 'Voisol', name: manifest.name, prove: false }, TASK)
  expect((await listRuns())[0]).toMatchObject({ state: 'failed', failure: expect.stringContaining('3 fichiers') })
  const { db, config } = server.deps
  expect((await checkCopies(db, config))[0]).toMatchObject({
    level: 'fault',
    text: expect.stringContaining(`La dernière copie (${manifest.name}) est incomplète`),
  })
  const found = await checkStoredFiles(withEmptyFileStore().files, db, config)
  expect(found.at(-1)).toMatchObject({ level: 'fault', text: expect.stringContaining('statuts.pdf') })
  expect(found.at(-1)?.remedy).toContain('DATA_DIR')
  expect((await checkStoredFiles(server.deps.files, db, config)).map(({ level }) => level)).toEqual(['ok'])
})

test('a file erased while the copy is made is not missing', async () => {
  const content = Buffer.from('effacé pendant la copie')
  const file = await storeFile(server.db, server.deps.files, companyId, {
    name: 'a.txt',
    mediaType: 'text/plain',
    content,
  })
  const { files } = server.deps
  const erasing: Deps = {
    ...server.deps,
    files: {
      ...files,
      // By then the rows are read.
      list: async (folder) => {
        await server.asOwner('delete from files where id = $1', [file.id])
        await files.remove(getFileKey(file))
        return files.list(folder)
      },
    },
  }
  const { manifest } = await makeCopy(erasing)
  expect(manifest.files).toMatchObject({ missing: [], erased: [getFileKey(file)] })
})
