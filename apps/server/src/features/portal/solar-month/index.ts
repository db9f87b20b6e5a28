export { buildSolarMonthMailSample } from './solar-month.ts'
