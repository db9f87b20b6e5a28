import { expect, test } from 'vitest'
import {
  buildFrenchVatNumber,
  CheckedSiren,
  CheckedSiret,
  getSiretError,
  getVatNumberError,
  InvoicePrefix,
  isLuhnValid,
  VatNumber,
} from './party-numbers.ts'
import { NewSellerVat, SellerDraft } from './sellers.ts'

test('a SIREN may be pasted with its spaces; any other last figure is refused', () => {
  expect(CheckedSiren.parse(' 552 081 317 ')).toBe('552081317')
  expect(CheckedSiren.parse('')).toBe('')
  for (let figure = 0; figure < 10; figure++) expect(isLuhnValid(`55208131${figure}`)).toBe(figure === 7)
  expect(CheckedSiren.safeParse('552081371').error?.issues[0]?.message).toContain('clé de contrôle')
  expect(CheckedSiren.safeParse('55208131').error?.issues[0]?.message).toContain('neuf chiffres')
})

test('a SIRET has its own key, and a post office’s its own rule', () => {
  expect(CheckedSiret.parse('552 081 317 66522')).toBe('55208131766522')
  expect(getSiretError('55208131766523')).toContain('clé de contrôle')
  // Its plain digits add up to a multiple of 5; that of anybody else must hold.
  expect(getSiretError('35600000012342')).toContain('clé')
  expect(getSiretError('35600000012341')).toBeNull()
  expect(isLuhnValid('35600000012341')).toBe(false)
  expect(getSiretError('55208131700003')).toContain('clé')
})

test('a French VAT number is the key of its SIREN and the SIREN; others are known by their shape', () => {
  expect(buildFrenchVatNumber('552081317')).toBe('FR03552081317')
  expect(VatNumber.parse('fr 03 552081317')).toBe('FR03552081317')
  expect(getVatNumberError('FR04552081317')).toContain('FR03552081317 est attendu')
  expect(getVatNumberError('FR03552081318')).toContain('SIREN')
  expect(getVatNumberError('FR0355208131')).toContain('deux caractères et le SIREN')
  expect(getVatNumberError('DE123456789')).toBeNull()
  expect(getVatNumberError('123')).toContain('deux lettres')
})

test('a prefix is what receivers take, in upper case', () => {
  expect(InvoicePrefix.parse(' til-')).toBe('TIL-')
  for (const wrong of ['', 'ÉCOLE', 'A.B', 'TREIZELETTRES'])
    expect([wrong, InvoicePrefix.safeParse(wrong.replace('.', '*')).success]).toEqual([wrong, false])
})

const SELLER = {
  participantId: null,
  name: 'Toits partagés',
  legalForm: 'SAS',
  siren: '552081317',
  siret: '',
  vatNumber: '',
  address: '7 rue du Puits',
  postalCode: '69007',
  city: 'Lyon',
  country: 'FR',
  email: '',
  phone: '',
  prefix: 'TP-',
  managementFees: [],
  managementFeeRate: 2000,
}
const refused = (change: object) =>
  SellerDraft.safeParse({ ...SELLER, ...change }).error?.issues.map(({ path }) => path.join('.'))

test('the numbers of one seller are one company’s', () => {
  expect(SellerDraft.safeParse(SELLER).success).toBe(true)
  expect(refused({ siret: '13002526500013' })).toEqual(['siret'])
  expect(refused({ vatNumber: 'FR07130025265' })).toEqual(['vatNumber'])
  expect(refused({ siret: '55208131766522', vatNumber: 'FR03552081317' })).toBeUndefined()
  expect(refused({ postalCode: '6900' })).toEqual(['postalCode'])
  expect(refused({ postalCode: '1000', country: 'BE' })).toBeUndefined()
})

test('only who owes VAT has a rate of it', () => {
  const on = { startsOn: '2026-01-01' }
  expect(NewSellerVat.safeParse({ ...on, mode: 'standard', rate: 2000 }).success).toBe(true)
  expect(NewSellerVat.safeParse({ ...on, mode: 'standard', rate: 0 }).success).toBe(false)
  expect(NewSellerVat.safeParse({ ...on, mode: 'exempt', rate: 2000 }).success).toBe(false)
  expect(NewSellerVat.safeParse({ ...on, mode: 'outside', rate: 0 }).success).toBe(true)
})
