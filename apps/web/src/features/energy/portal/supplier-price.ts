import { useState } from 'react'
import { ownKey, read, write } from '../../../lib/storage.ts'

const KEY = ownKey('supplier_price')

/** The client's own supplier's price, as they read it on their bill: it stays on this device. */
export function useSupplierPrice() {
  const [price, setPrice] = useState(() => {
    const kept = Number(read(KEY))
    return Number.isInteger(kept) && kept > 0 ? kept : null
  })
  const keep = (next: number) => {
    write(KEY, String(next))
    setPrice(next)
  }
  return [price, keep] as const
}
