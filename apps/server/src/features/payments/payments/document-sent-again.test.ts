import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { expect, test } from 'vitest'
import { makeSalesFixture } from '../../../../test/factories-bank.ts'
import { withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { buildDocumentsMail, findInvoiceById } from '../../billing/invoices/index.ts'
import { postPayment } from './index.ts'

const server = useServer()

test('asks for the open amount of a document sent again, and for nothing once it is settled', async () => {
  const { companyId, world, invoices } = await makeSalesFixture(server)
  const [asked] = invoices
  if (!asked?.buyerId) throw new Error('one invoice')
  const { id, gross, buyerId } = asked
  const pair = { sellerId: world.seller.id, buyerId, clientSellerId: null, accountId: null }
  const pay = (amount: number, source: string) =>
    postPayment(
      withoutSubscribers(server.db),
      companyId,
      { ...pair, kind: 'receipt', method: 'transfer', bookedOn: '2026-07-03', amount, source },
      'Camille',
    )
  const words = async () => {
    const invoice = await findInvoiceById(server.db, companyId, id)
    if (!invoice) throw new Error('no invoice')
    return (await buildDocumentsMail(server.deps, invoice, [invoice], false)).text
  }
  expect(await words()).toContain(`Montant à régler\u00a0: ${formatEuros(gross)} au plus tard`)
  await pay(71, 'a')
  expect(await words()).toContain(`Montant à régler\u00a0: ${formatEuros(gross - 71)} au plus tard`)
  expect(await words()).toContain(`Sur ${formatEuros(gross)}, le reste est déjà réglé.`)
  await pay(gross - 71, 'b')
  expect(await words()).toContain('déjà réglée')
  expect(await words()).not.toContain('Montant à régler')
})
