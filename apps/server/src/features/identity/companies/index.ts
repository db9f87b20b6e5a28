export { loadCompany, lockActorCompany } from './companies.ts'
