export { BILL_VERDICT_LABELS } from '../../ui/bill-verdicts.ts'
