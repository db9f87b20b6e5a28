import { useState } from 'react'
import { readStorage, toStorageKey, writeStorage } from '../../../lib/storage.ts'

const STORAGE_KEY = toStorageKey('supplier_price')

/** The client's own supplier's price, as they read it on their bill: it stays on this device. */
export function useSupplierPrice() {
  const [price, setPrice] = useState(() => {
    const stored = Number(readStorage(STORAGE_KEY))
    return Number.isInteger(stored) && stored > 0 ? stored : null
  })
  const savePrice = (next: number) => {
    writeStorage(STORAGE_KEY, String(next))
    setPrice(next)
  }
  return [price, savePrice] as const
}
