import { expect, test } from 'vitest'
import { buildFolderOptions, SyncSettingsForm, toSyncSettingsBody, toSyncSettingsForm } from './sync-settings-form.ts'

const settings = {
  hour: 9,
  enabled: true,
  rollingDays: 30,
  folder: '',
  folders: [],
  hasFileKey: true,
  toleranceWh: 500,
  version: 3,
}
const KEY = 'a'.repeat(64)
const parseAndBuildBody = (change: object) =>
  toSyncSettingsBody(SyncSettingsForm.parse({ ...toSyncSettingsForm(settings), ...change }))

test('saving what was read changes nothing, and leaves the key alone', () => {
  expect(parseAndBuildBody({})).toEqual({
    hour: 9,
    enabled: true,
    rollingDays: 30,
    folder: '',
    toleranceWh: 500,
    version: 3,
  })
})

test('a key is sent where it is typed, an empty one where it is to be forgotten, and typing wins', () => {
  expect(parseAndBuildBody({ fileKey: ` ${KEY} ` })).toHaveProperty('fileKey', KEY)
  expect(parseAndBuildBody({ forgetKey: true })).toHaveProperty('fileKey', '')
  expect(parseAndBuildBody({ forgetKey: true, fileKey: KEY })).toHaveProperty('fileKey', KEY)
})

test('figures out of bounds, and keys that are none, are refused at their field', () => {
  for (const change of [{ rollingDays: '31' }, { rollingDays: '2,5' }, { toleranceWh: '' }, { fileKey: 'abc' }])
    expect(SyncSettingsForm.safeParse({ ...toSyncSettingsForm(settings), ...change }).success).toBe(false)
})

test('the folders are those that may be watched, and the one that no longer may', () => {
  const values = (folder: string, folders: string[]) =>
    buildFolderOptions({ folder, folders }).map(({ value }) => value)
  expect(values('', [])).toEqual([''])
  expect(values('/srv/enedis/7', ['/srv/enedis/7'])).toEqual(['', '/srv/enedis/7'])
  expect(values('/etc', ['/srv/enedis/7'])).toEqual(['', '/srv/enedis/7', '/etc'])
})
