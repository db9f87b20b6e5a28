import { expect, test } from 'vitest'
import { type CallParam, getInitialValues, validateParams } from './call-params.ts'

const param = (name: string, kind: CallParam['kind'], required = true): CallParam => ({
  name,
  kind,
  required,
  label: name,
  example: '',
})
const curve = [param('prm', 'prm'), param('from', 'day'), param('to', 'day')]

test('a number pasted with its spaces is sent without them', () => {
  const { errors, cleaned } = validateParams(curve, { prm: '19 125 759 625 988', from: '2026-11-01', to: '2026-11-08' })
  expect(errors).toEqual({})
  expect(cleaned).toEqual({ prm: '19125759625988', from: '2026-11-01', to: '2026-11-08' })
})

test('each field says what it expected', () => {
  expect(validateParams(curve, { prm: '123', from: '', to: '2026-02-30' }).errors).toEqual({
    prm: 'Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.',
    from: 'À renseigner.',
    to: 'Un jour est attendu.',
  })
  expect(validateParams([param('acc', 'acc')], { acc: 'acc537' }).errors).toHaveProperty('acc')
  expect(validateParams([param('acc', 'acc')], { acc: 'acc00000537' }).cleaned).toEqual({ acc: 'ACC00000537' })
})

test('a period must end after it begins', () => {
  expect(validateParams(curve, { prm: '1'.repeat(14), from: '2026-11-08', to: '2026-11-08' }).errors).toHaveProperty(
    'to',
  )
})

test('what is optional may stay empty and is not sent', () => {
  expect(validateParams([param('type', 'text', false)], { type: ' ' })).toEqual({ errors: {}, cleaned: {} })
})

test('what was typed for another call stays', () => {
  const given = [
    { ...param('prm', 'prm'), example: '1' },
    { ...param('type', 'text', false), example: 'cons' },
  ]
  expect(getInitialValues(given, {})).toEqual({ prm: '1', type: '' })
  expect(getInitialValues(given, { prm: '2' })).toEqual({ prm: '2', type: '' })
})
