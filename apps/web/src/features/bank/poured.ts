/** The line poured over what was chosen, in its order: each gets what it is owed, as long as there is some. */
export function distributeAmount(amount: number, chosen: readonly { invoiceId: string; open: number }[]) {
  let left = amount
  const parts = chosen.map(({ invoiceId, open }) => {
    const part = Math.min(left, open)
    left -= part
    return { invoiceId, amount: part }
  })
  return { parts: parts.filter((part) => part.amount > 0), left }
}
