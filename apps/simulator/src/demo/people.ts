import type { BuiltInRole } from '@voisol/contract/roles'

export const DEMO_PASSWORD = 'soleil-partage-demo'

export type DemoPerson = {
  email: string
  firstName: string
  lastName: string
  phone: string
  role: BuiltInRole
  invited?: true
}

const toDemoEmail = (name: string) => `${name}@demo.voisol.fr`

/** The two accounts that are announced come first; the others make the lists look like a real organisation's. */
export const DEMO_PEOPLE: DemoPerson[] = [
  { email: toDemoEmail('admin'), firstName: 'Claire', lastName: 'Martin', phone: '01 84 60 12 34', role: 'admin' },
  { email: toDemoEmail('client'), firstName: 'Hugo', lastName: 'Bernard', phone: '06 12 34 56 78', role: 'client' },
  {
    email: toDemoEmail('yanis.lefevre'),
    firstName: 'Yanis',
    lastName: 'Lefèvre',
    phone: '06 22 41 80 15',
    role: 'admin',
  },
  { email: toDemoEmail('sophie.girard'), firstName: 'Sophie', lastName: 'Girard', phone: '', role: 'client' },
  {
    email: toDemoEmail('amina.benali'),
    firstName: 'Amina',
    lastName: 'Benali',
    phone: '06 71 09 33 42',
    role: 'client',
  },
  { email: toDemoEmail('luc.moreau'), firstName: 'Luc', lastName: 'Moreau', phone: '', role: 'client' },
  {
    email: toDemoEmail('ines.carvalho'),
    firstName: 'Inês',
    lastName: 'Carvalho',
    phone: '06 50 28 17 96',
    role: 'client',
  },
  { email: toDemoEmail('paul.nguyen'), firstName: 'Paul', lastName: 'Nguyen', phone: '', role: 'client' },
  {
    email: toDemoEmail('ecole.tilleuls'),
    firstName: 'Françoise',
    lastName: 'Roux',
    phone: '04 72 11 20 30',
    role: 'client',
  },
  {
    email: toDemoEmail('mathilde.petit'),
    firstName: 'Mathilde',
    lastName: 'Petit',
    phone: '',
    role: 'client',
    invited: true,
  },
  {
    email: toDemoEmail('karim.haddad'),
    firstName: 'Karim',
    lastName: 'Haddad',
    phone: '',
    role: 'client',
    invited: true,
  },
]
