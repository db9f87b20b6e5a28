import { expect, expectAccessibleAndNoOverflow, test } from './people.ts'

test('an empty company is led to its first operation', async ({ page, admin }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Partagez votre premier kilowattheure' })).toBeVisible()
  await expect(page.getByText(admin.firstName).first()).toBeVisible()
  const steps = page.getByRole('region', { name: 'Partagez votre premier kilowattheure' })
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText([
    'Créez une opération',
    'Inscrivez les participants',
    'Reliez leurs compteurs',
    'Recueillez les accords',
    'Adoptez une clé de répartition',
    'Importez les courbes de charge',
    'Répartissez l’énergie',
    'Émettez la première facture',
  ])
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('link', { name: 'Créer une opération' }).click()
  await expect(page).toHaveURL('/acc-operations/new')
})

test('the dashboard: what waits, figures of the period, a bar opens its day', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/dashboard')
  const chart = page.getByRole('figure', { name: 'Production, énergie locale et surplus' })
  await expect(chart).toBeVisible()
  const figures = page.getByRole('region', { name: 'Chiffres de la période' })
  await expect(figures).toContainText('Taux d’autoconsommation')
  await expect(page.getByRole('table', { name: 'Opérations sur la période' }).getByRole('link').first()).toBeVisible()
  await page.getByRole('button', { name: 'Période précédente' }).click()
  await expect(page).toHaveURL(/unit=month/)
  await expect(figures).toContainText(/(Hausse|Baisse) de .* par rapport à/)
  await expectAccessibleAndNoOverflow(page)
  await chart.getByRole('slider').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/unit=day/)
  await expect(page.getByRole('figure', { name: 'Production, énergie locale et surplus' })).toBeVisible()
})
