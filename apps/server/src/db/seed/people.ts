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

const at = (name: string) => `${name}@demo.voisol.fr`

/** The two accounts that are announced come first; the others make the lists look like a real organisation's. */
export const PEOPLE: DemoPerson[] = [
  { email: at('admin'), firstName: 'Claire', lastName: 'Martin', phone: '01 84 60 12 34', role: 'admin' },
  { email: at('client'), firstName: 'Hugo', lastName: 'Bernard', phone: '06 12 34 56 78', role: 'client' },
  { email: at('yanis.lefevre'), firstName: 'Yanis', lastName: 'Lefèvre', phone: '06 22 41 80 15', role: 'admin' },
  { email: at('sophie.girard'), firstName: 'Sophie', lastName: 'Girard', phone: '', role: 'client' },
  { email: at('amina.benali'), firstName: 'Amina', lastName: 'Benali', phone: '06 71 09 33 42', role: 'client' },
  { email: at('luc.moreau'), firstName: 'Luc', lastName: 'Moreau', phone: '', role: 'client' },
  { email: at('ines.carvalho'), firstName: 'Inês', lastName: 'Carvalho', phone: '06 50 28 17 96', role: 'client' },
  { email: at('paul.nguyen'), firstName: 'Paul', lastName: 'Nguyen', phone: '', role: 'client' },
  { email: at('ecole.tilleuls'), firstName: 'Françoise', lastName: 'Roux', phone: '04 72 11 20 30', role: 'client' },
  { email: at('mathilde.petit'), firstName: 'Mathilde', lastName: 'Petit', phone: '', role: 'client', invited: true },
  { email: at('karim.haddad'), firstName: 'Karim', lastName: 'Haddad', phone: '', role: 'client', invited: true },
]
