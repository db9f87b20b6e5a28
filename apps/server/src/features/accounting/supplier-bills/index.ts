export { checkSupplierBill, listSupplierBills } from './supplier-bills.ts'
