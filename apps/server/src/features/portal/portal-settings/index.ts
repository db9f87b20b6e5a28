export { listPortalPeople, loadAdoption } from './portal-people.ts'
