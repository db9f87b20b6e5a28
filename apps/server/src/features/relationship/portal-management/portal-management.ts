export { loadAdoption } from './adoption.ts'
export { listPortalPeople } from './people.ts'
