export { VERDICTS } from '../../ui/bill-verdicts.ts'
