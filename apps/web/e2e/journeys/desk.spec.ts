import type { Locator } from '@playwright/test'
import { expect, expectAccessibleAndNoOverflow, test } from './people.ts'

test('the rubrics of a large desk: by address, by keyboard, and as a list on a telephone', async ({ page, admin }) => {
  expect(admin.token).toBeTruthy()
  await page.goto('/billing?tab=banque')
  const groups = page.getByRole('tablist', { name: /^Rubriques/ })
  await expect(groups.getByRole('tab', { name: 'Encaisser', selected: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Banque', selected: true })).toBeVisible()
  await groups.getByRole('tab', { name: 'Encaisser' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/tab=releves/)
  await expect(page.getByRole('tab', { name: 'Relevés des producteurs', selected: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/tab=reversements/)
  await expect(page.getByRole('tabpanel', { name: 'Reversements' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(groups).toBeHidden()
  await page.getByLabel('Rubrique', { exact: true }).selectOption({ label: 'Relances' })
  await expect(page).toHaveURL(/tab=relances/)
  await expectAccessibleAndNoOverflow(page)
})

test('on a telephone no tab is cut, a long row shows the open one, and bars carry whole names', async ({
  page,
  signedIn,
  ids,
}) => {
  await signedIn('admin')
  await page.setViewportSize({ width: 390, height: 844 })
  const seen = (tabs: Locator) =>
    tabs.evaluateAll((all) =>
      all.map((tab) => {
        const { left, right } = tab.getBoundingClientRect()
        return left >= 0 && right <= innerWidth
      }),
    )
  for (const path of ['/reports', '/ai-insights', '/admin/webhooks', '/admin/api-gateway', '/support-admin']) {
    await page.goto(path)
    await expect(page.getByRole('tab').first()).toBeVisible()
    expect([path, (await seen(page.getByRole('tab'))).includes(false)]).toEqual([path, false])
  }
  await page.goto(`/acc-operations/${ids.operationId}`)
  await page.getByRole('tab').last().focus()
  await expect.poll(() => seen(page.getByRole('tab', { selected: true }))).toEqual([true])
  await page.goto('/analytics?unit=month&from=2026-05-01')
  const drawn = page.getByRole('figure', { name: /^Opérations/ })
  await expect(drawn.getByText('Résidence Les Tilleuls')).toBeVisible()
})
