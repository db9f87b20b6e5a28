export { adoptionOf } from './adoption.ts'
export { listPeople } from './people.ts'
