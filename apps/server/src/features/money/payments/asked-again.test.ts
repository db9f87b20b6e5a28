import { expect, test } from 'vitest'
import { makeSales } from '../../../../test/factories-bank.ts'
import { quietly } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { euros } from '../../../papers/decimals.ts'
import { documentsMail, invoiceOf } from '../invoices/invoices.ts'
import { postPayment } from './payments.ts'

const server = useServer()

test('a document that is sent again asks for what is left of it, and for nothing once it is settled', async () => {
  const { companyId, world, invoices } = await makeSales(server)
  const [asked] = invoices
  if (!asked?.buyerId) throw new Error('one invoice')
  const { id, gross, buyerId } = asked
  const pair = { sellerId: world.seller.id, buyerId, clientSellerId: null, accountId: null }
  const pay = (amount: number, source: string) =>
    postPayment(
      quietly(server.db),
      companyId,
      { ...pair, kind: 'receipt', method: 'transfer', bookedOn: '2026-07-03', amount, source },
      'Camille',
    )
  const words = async () => {
    const invoice = await invoiceOf(server.db, companyId, id)
    if (!invoice) throw new Error('no invoice')
    return (await documentsMail(server.deps, invoice, [invoice], false)).text
  }
  expect(await words()).toContain(`Montant à régler\u00a0: ${euros(gross)} au plus tard`)
  await pay(71, 'a')
  expect(await words()).toContain(`Montant à régler\u00a0: ${euros(gross - 71)} au plus tard`)
  expect(await words()).toContain(`Sur ${euros(gross)}, le reste est déjà réglé.`)
  await pay(gross - 71, 'b')
  expect(await words()).toContain('déjà réglée')
  expect(await words()).not.toContain('Montant à régler')
})
