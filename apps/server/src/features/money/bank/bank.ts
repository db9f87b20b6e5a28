export { type AccountRow, accountOf, accountsOf, addAccount, openAccountIban } from '../mandates/mandates.ts'
export { importMessage } from './import.ts'
export { tellFiled, tellPayouts, tellTransferred } from './tell-payouts.ts'
