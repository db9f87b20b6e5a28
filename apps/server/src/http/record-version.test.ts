import { companies } from '@voisol/contract/companies'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { AppError } from './errors.ts'
import { requireCurrentVersion } from './record-version.ts'

const current = { version: 7, name: 'Toits', siren: '', tags: ['a'] }
const catchVersionError = (wanted: Parameters<typeof requireCurrentVersion<typeof current>>[1]) => {
  try {
    requireCurrentVersion(current, wanted)
  } catch (error) {
    return error
  }
  return undefined
}

test.each([0, 6, 8, 7_000])('for a record at version 7, the version %d is refused', (version) => {
  expect(catchVersionError({ version })).toMatchObject({ code: 'stale' })
})

test('the current version is accepted', () => {
  expect(catchVersionError({ version: 7, name: 'Autre' })).toBeUndefined()
})

test('a conflict returns the stored values of the fields that would have changed', () => {
  const error = catchVersionError({ version: 6, name: 'Autre', siren: '552081317', tags: ['a'] })
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({
    issues: [
      { path: 'name', message: 'Enregistré entre-temps\u00a0: «\u00a0Toits\u00a0».' },
      { path: 'siren', message: 'Enregistré entre-temps\u00a0: vide.' },
    ],
  })
})

test('fields that were not sent are not returned', () => {
  expect(catchVersionError({ version: 6, siren: '552081317' })).toMatchObject({ issues: [{ path: 'siren' }] })
})

const server = useServer()

test('a save that names a future version changes nothing', async () => {
  const { companyId, token } = await makeUser(server.db)
  const params = { companyId }
  const form = { name: 'Toits', legalName: '', siren: '', address: '', email: '', phone: '' }
  const save = (version: number) => call(server, companies.update, { params, body: { ...form, version } }, { token })
  const before = (await call(server, companies.get, { params }, { token })).body
  expect(await save(2)).toMatchObject({ status: 409, body: { code: 'stale' } })
  expect((await call(server, companies.get, { params }, { token })).body).toEqual(before)
  expect((await save(1)).body).toMatchObject({ version: 2, name: 'Toits' })
})
