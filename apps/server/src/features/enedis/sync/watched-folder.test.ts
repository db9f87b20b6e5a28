import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sync } from '@voisol/contract/sync'
import { afterAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { listWatchedFolders, openWatchedFolder } from './watched-folder.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'voisol-racine-')))
const second = join(root, 'seconde')
mkdirSync(second)
afterAll(() => rmSync(root, { recursive: true, force: true }))
const server = useServer({ ENEDIS_FOLDERS: `${root}, ${second}` })
const none = useServer()

const body = { hour: 9, enabled: true, rollingDays: 20, toleranceWh: 500, version: 0 }
const save = async (folder: string, on = server) => {
  const { token, companyId } = await makeUser(on.db)
  const name = folder.replace(':id', String(companyId)).replace(':other', String(companyId + 1))
  for (const made of [companyId, companyId + 1]) mkdirSync(join(root, String(made)), { recursive: true })
  const answer = await call(on, sync.saveSettings, { body: { ...body, folder: name } }, { token })
  return answer.status === 200 ? 'watched' : answer.body.issues[0].message
}

test('a company may watch its own folder below a configured root, and no other', async () => {
  expect(await save(`${root}/:id`)).toBe('watched')
  expect(await save(`${root}/:id/`)).toBe('watched')
  for (const folder of [
    root,
    second,
    '/etc',
    'depot',
    `${root}/:other`,
    `${root}/:id/../:other`,
    `${root}/:id/traites`,
    `${root}x/:id`,
    `${root}/0:id`,
  ])
    expect(await save(folder), folder).toMatch(/^Le dossier de votre organisation est attendu/)
  expect(await save(`${second}/:id`)).toMatch(/n’existe pas sur le serveur/)
})

test('without a configured root no folder is watched, and the refusal says so', async () => {
  expect(await save(`${root}/:id`, none)).toMatch(/n’a ouvert aucun dossier.*ENEDIS_FOLDERS/)
  const { token } = await makeUser(none.db)
  expect((await call(none, sync.settings, {}, { token })).body.folders).toEqual([])
})

test('refuses a link as folder or as a parent, and a file instead of a folder', async () => {
  const real = join(root, 'ailleurs')
  mkdirSync(join(real, '901'), { recursive: true })
  symlinkSync(real, join(root, '900'))
  symlinkSync(real, join(root, 'lien'))
  writeFileSync(join(root, '902'), 'x')
  const at = (folders: string, id: number) =>
    openWatchedFolder({ ENEDIS_FOLDERS: folders }, id, listWatchedFolders({ ENEDIS_FOLDERS: folders }, id)[0] ?? '')
  await expect(at(root, 900)).rejects.toThrow(/passe par un lien/)
  await expect(at(join(root, 'lien'), 901)).rejects.toThrow(/passe par un lien/)
  await expect(at(root, 902)).rejects.toThrow(/ENOTDIR/)
  await (await at(real, 901)).close()
})
