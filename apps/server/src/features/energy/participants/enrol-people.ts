import { randomUUID } from 'node:crypto'
import type { ParticipantLine } from '@voisol/contract/participants'
import { normalizeName, normalizeNames, type ParticipantRow } from './identity.ts'

/** A person as it will be stored; `stored` means nothing has to be written. */
export type EnrolledPerson = { row: ParticipantRow; state: 'new' | 'changed' | 'stored' }
export type PeopleIndex = Map<string, EnrolledPerson>

/** Fields that a line may change of a known person: never the name, and never with an empty cell. */
const CONTACT_FIELDS = ['siren', 'email', 'phone', 'address', 'postalCode', 'city', 'notes'] as const

type PersonIdentity = Pick<ParticipantRow, 'name' | 'siren' | 'email' | 'address' | 'postalCode'>
const getSirenKey = ({ siren }: PersonIdentity) => siren && `siren ${siren}`
const getEmailKey = ({ email }: PersonIdentity) => email && `email ${email}`
const getAddressKey = ({ name, address, postalCode }: PersonIdentity) =>
  address && `address ${normalizeName(name)} | ${normalizeName(address)} | ${postalCode}`
export const getPersonPointKey = (name: string, prm: string) => `point ${normalizeName(name)} | ${prm}`

/** The first person with a key keeps it. */
function addKeys(people: PeopleIndex, person: EnrolledPerson, ...keys: string[]) {
  for (const key of keys) if (key && !people.has(key)) people.set(key, person)
}
export const indexPerson = (people: PeopleIndex, person: EnrolledPerson, ...more: string[]) =>
  addKeys(people, person, getSirenKey(person.row), getEmailKey(person.row), getAddressKey(person.row), ...more)

function findPerson(people: PeopleIndex, facts: PersonIdentity, prm: string): EnrolledPerson | undefined {
  const sameSiren = people.get(getSirenKey(facts))
  if (sameSiren) return sameSiren
  const sameEmail = people.get(getEmailKey(facts))
  // Several companies may share one manager's e-mail address.
  if (sameEmail && !(sameEmail.row.siren && facts.siren)) return sameEmail
  return people.get(getAddressKey(facts)) ?? people.get(getPersonPointKey(facts.name, prm))
}

const EMPTY_PARTICIPANT = {
  email: '',
  phone: '',
  address: '',
  postalCode: '',
  city: '',
  notes: '',
  tags: [],
  userId: null,
  iban: null,
  ibanEnd: '',
  mandateReference: '',
  mandateSignedOn: null,
  erasureAskedOn: null,
  erasedOn: null,
  version: 1,
}

/** The person a line refers to, with its changes; other lines only see them once the line is accepted. */
export function matchPerson(
  people: PeopleIndex,
  companyId: number,
  line: ParticipantLine,
): { person: EnrolledPerson; was?: EnrolledPerson } {
  const names = normalizeNames(line)
  const contact = Object.fromEntries(CONTACT_FIELDS.flatMap((key) => (line[key] ? [[key, line[key]]] : [])))
  const newRow: ParticipantRow = {
    ...EMPTY_PARTICIPANT,
    ...names,
    ...contact,
    companyId,
    id: randomUUID(),
    createdAt: new Date(),
  }
  const knownPerson = findPerson(people, newRow, line.prm)
  if (!knownPerson) return { person: { row: newRow, state: 'new' } }
  const differs = CONTACT_FIELDS.some((key) => line[key] && line[key] !== knownPerson.row[key])
  if (!differs) return { person: knownPerson, was: knownPerson }
  const state = knownPerson.state === 'new' ? 'new' : 'changed'
  return { person: { row: { ...knownPerson.row, ...contact }, state }, was: knownPerson }
}
