/** Texts of the records and parameters of commissions in Portuguese, by the English text. */
export const commissionFields: Readonly<Record<string, string>> = {
  "The part of a commission that a partner receives": "A parte de uma comissão que um parceiro recebe",
  "The São Paulo day, YYYY-MM-DD. Default: today.": "O dia em São Paulo, AAAA-MM-DD. Padrão: hoje.",
  "Entries of this partner only": "Só os lançamentos deste parceiro",
  "Entries of this São Paulo month only, YYYY-MM": "Só os lançamentos deste mês de São Paulo, AAAA-MM",
  "not closed yet. `CLOSED`: ready for a payout. `PAID`: part of a payout.":
    "ainda não fechado. `CLOSED`: pronto para um pagamento. `PAID`: parte de um pagamento.",
  "the customer was paid. `CLAWBACK`: the paid contract was reversed. `ADJUSTMENT`: somebody above the partner corrected its balance.":
    "o cliente foi pago. `CLAWBACK`: o contrato pago foi desfeito. `ADJUSTMENT`: alguém acima do parceiro corrigiu o saldo dele.",
  "Entries of this contract only": "Só os lançamentos deste contrato",
  "The lender's code; exact match": "O código da instituição; comparação exata",
  "The São Paulo month. Default: the present one, YYYY-MM": "O mês de São Paulo. Padrão: o mês atual, AAAA-MM",
  "The summary of this partner only": "Só o resumo deste parceiro",
  "One page of a summary, and the sums over all pages": "Uma página de um resumo, e as somas de todas as páginas",
  "An entry of the ledger of commissions": "Um lançamento do razão de comissões",
  "A closed period of a partner": "Um período fechado de um parceiro",
  "A payout of commissions to a partner": "Um pagamento de comissões a um parceiro",
  "Payouts to this partner only": "Só os pagamentos a este parceiro",
  "The São Paulo month of the payments and reversals that the statement must contain, YYYY-MM":
    "O mês de São Paulo dos pagamentos e dos contratos desfeitos que o extrato precisa conter, AAAA-MM",
  "CSV (RFC 4180) in UTF-8, at most 1 MiB and 20 000 lines": "CSV (RFC 4180) em UTF-8, até 1 MiB e 20 000 linhas",
  "The result of comparing a lender's statement": "O resultado da comparação do extrato de uma instituição",
  "The number of lines that agree with the ledger": "O número de linhas que conferem com o razão",
  "The differences, at most 1000: first those of the lines, in the order of the file, then `MISSING_THERE`":
    "As diferenças, até 1000: primeiro as das linhas, na ordem do arquivo, depois `MISSING_THERE`",
  "The number of further differences": "O número de outras diferenças",
  "The time at which this file was compared first": "Quando o mesmo arquivo foi comparado pela primeira vez",
  "the ledger has no such payment or reversal. `MISSING_THERE`: the statement lacks a payment or a reversal of the period. `AMOUNT`: the amounts differ. `DUPLICATE`: the statement repeats a payment or a reversal.":
    "o razão não tem este pagamento ou contrato desfeito. `MISSING_THERE`: falta no extrato um pagamento ou contrato desfeito do período. `AMOUNT`: os valores diferem. `DUPLICATE`: o extrato repete um pagamento ou contrato desfeito.",
  "The column of the statement that `expected` and `found` are about":
    "A coluna do extrato a que `expected` e `found` se referem",
  "The lender's reference of the contract; null if it is unknown":
    "A referência do contrato na instituição; null se desconhecida",
  "The amount in the ledger, negative for a reversal; null for `MISSING_HERE` and `DUPLICATE`":
    "O valor no razão, negativo para um contrato desfeito; null em `MISSING_HERE` e `DUPLICATE`",
  "The amount in the statement; null for `MISSING_THERE`": "O valor no extrato; null em `MISSING_THERE`",
  "A difference between a statement and the ledger": "Uma diferença entre um extrato e o razão",
  "The payout's id": "O id do pagamento",
  "The partner that was paid": "O parceiro que recebeu o pagamento",
  "The last São Paulo month whose closed entries were paid":
    "O último mês de São Paulo cujos lançamentos fechados foram pagos",
  "The gross amount": "O valor bruto",
  "The kind of a withheld tax": "O tipo de um imposto retido",
  "The taxes that were withheld": "Os impostos retidos",
  "The gross amount less the withheld taxes": "O valor bruto menos os impostos retidos",
  "The payer's reference of the payment": "A referência do pagamento, dada por quem paga",
  "When the amount was paid": "Quando o valor foi pago",
  "When the payout was recorded": "Quando o pagamento foi registrado",
  "The partner that is paid, strictly below the caller's own":
    "O parceiro que recebe, estritamente abaixo do parceiro de quem chama",
  "The last São Paulo month whose closed entries are paid":
    "O último mês de São Paulo cujos lançamentos fechados são pagos",
  "The gross amount: the sum of the closed entries up to the period":
    "O valor bruto: a soma dos lançamentos fechados até o período",
  "The taxes that were withheld, together at most `amount`. They are recorded, not computed.":
    "Os impostos retidos, que somam no máximo `amount`. São registrados, não calculados.",
  "Your reference of the payment": "A sua referência do pagamento",
  "Request body that records a payout of commissions": "Corpo da requisição que registra um pagamento de comissões",
  "The closing's id": "O id do fechamento",
  "The partner whose entries are closed": "O parceiro cujos lançamentos são fechados",
  "The closed São Paulo month": "O mês de São Paulo fechado",
  "When the period was first closed": "Quando o período foi fechado pela primeira vez",
  "The number of entries that this request closed": "O número de lançamentos que esta requisição fechou",
  "The sum of the entries that this request closed": "A soma dos lançamentos que esta requisição fechou",
  "False if further entries are payable: a request closes at most 5 000, and none while 50 000 wait for a payout. Record the payout if `entries` is 0, and send the request again.":
    "False se há outros lançamentos pagáveis: uma requisição fecha no máximo 5 000, e nenhum enquanto 50 000 esperam por um pagamento. Registre o pagamento se `entries` for 0, e repita a requisição.",
  "The São Paulo month to close, which must have ended": "O mês de São Paulo a fechar, que precisa ter terminado",
  "The partner: a descendant of the caller's own, or the caller's own if that is a root":
    "O parceiro: um descendente do parceiro de quem chama, ou este mesmo, se for uma raiz",
  "Request body that closes a commission month of a partner":
    "Corpo da requisição que fecha um mês de comissões de um parceiro",
  "The partner, strictly below the caller's own": "O parceiro, estritamente abaixo do parceiro de quem chama",
  "The amount to add to the balance; negative to subtract, not 0":
    "O valor a somar ao saldo; negativo para subtrair, diferente de 0",
  "The reason, which the partner sees": "O motivo, que o parceiro vê",
  "The contract that the adjustment is about": "O contrato a que o ajuste se refere",
  "Request body that adjusts a balance": "Corpo da requisição que ajusta um saldo",
  "The sums over all partners of the list": "As somas de todos os parceiros da lista",
  "The sum of the accruals of the period": "A soma das comissões do período",
  "The sum of the clawbacks of the period; at most 0": "A soma dos estornos do período; no máximo 0",
  "The sum of the adjustments of the period": "A soma dos ajustes do período",
  "The sum of all entries of the period": "A soma de todos os lançamentos do período",
  "The debt of earlier periods: the sum of their entries that are not paid, if it is negative":
    "A dívida de períodos anteriores: a soma dos lançamentos não pagos deles, se for negativa",
  "The sum of the entries of the period that are paid": "A soma dos lançamentos pagos do período",
  "The balance and the carried debt, less what is paid; at least 0":
    "O saldo mais a dívida anterior, menos o que já foi pago; no mínimo 0",
  "The number of accruals, less the number of clawbacks": "O número de comissões, menos o número de estornos",
  "The partner that earns the amounts": "O parceiro que ganha os valores",
  "The commissions of a partner in a period": "As comissões de um parceiro em um período",
  "The entry's id": "O id do lançamento",
  "The contract; null for an adjustment without a contract": "O contrato; null para um ajuste sem contrato",
  "The partner that earns the amount": "O parceiro que ganha o valor",
  "The amount in reais; negative for a clawback": "O valor em reais; negativo em um estorno",
  "The amount in percent of the basis amount, four decimals; null for an adjustment":
    "O valor em percentual do valor base, com quatro casas decimais; null para um ajuste",
  "The amount that the commission is a part of": "O valor de que a comissão é uma parte",
  "The code of the lender's fee table": "O código da tabela de taxas e tarifas da instituição",
  "The partner that sold the contract": "O parceiro que vendeu o contrato",
  "The São Paulo month in which the entry counts": "O mês de São Paulo em que o lançamento conta",
  "The first São Paulo day on which the amount can be closed and paid":
    "O primeiro dia em São Paulo em que o valor pode ser fechado e pago",
  "The payout; null unless `status` is `PAID`": "O pagamento; null se `status` não é `PAID`",
  "When the entry was written": "Quando o lançamento foi criado",
  "The note of an adjustment": "A observação de um ajuste",
  "The plan's id, which its audit entry has as `subject_id`":
    "O id do plano, que o registro de auditoria dele tem como `subject_id`",
  "The partner that receives the commission": "O parceiro que recebe a comissão",
  "The São Paulo day from which the plan counts": "O dia em São Paulo a partir do qual o plano vale",
  "The amount of the contract that the commission is a part of: the sum of the instalments (`GROSS`), the principal, or the amount paid to the customer (`NET`)":
    "O valor do contrato de que a comissão é uma parte: a soma das parcelas (`GROSS`), o principal, ou o valor pago ao cliente (`NET`)",
  "The basis of the root's plan; null if the root has none": "A base do plano da raiz; null se a raiz não tem plano",
  "The rates; the most specific one counts": "As taxas; vale a mais específica",
  "When the plan was written": "Quando o plano foi criado",
  "The principal that wrote the plan; null if it is outside the reader's subtree":
    "Quem criou o plano; null se está fora da subárvore de quem lê",
  "The lender's code; null: every lender": "O código da instituição; null: todas as instituições",
  "The code of the lender's fee table; null: every table":
    "O código da tabela de taxas e tarifas da instituição; null: todas as tabelas",
  "The percent of the contract that the lender pays to the root; null below a root":
    "O percentual do contrato que a instituição paga à raiz; null abaixo da raiz",
  "The percent of the parent's commission; null for a root, and for readers that were not above the partner when the plan was written":
    "O percentual da comissão do parceiro pai; null para a raiz, e para quem não estava acima do parceiro quando o plano foi criado",
  "The percent of the contract that reaches the partner, rounded down; only in the partner's own plan, otherwise null":
    "O percentual do contrato que chega ao parceiro, arredondado para baixo; só no plano do próprio parceiro, senão null",
  "A rate of a commission plan": "Uma taxa de um plano de comissão",
  "The São Paulo day from which the plan counts: today or later":
    "O dia em São Paulo a partir do qual o plano vale: hoje ou depois",
  "The basis of the commission; required for a root, and for roots only":
    "A base da comissão; obrigatória para a raiz, e só para a raiz",
  "The code of the lender's fee table; null: every table. Requires `lender`.":
    "O código da tabela de taxas e tarifas da instituição; null: todas as tabelas. Exige `lender`.",
  "The percent of the contract that the lender pays (roots only)":
    "O percentual do contrato que a instituição paga (só para a raiz)",
  "The percent that the partner receives of the commission of its parent (all other partners)":
    "O percentual da comissão do parceiro pai que o parceiro recebe (todos os outros parceiros)",
  "The rates, at most 500. The most specific one counts. Empty: the partner receives nothing.":
    "As taxas, até 500. Vale a mais específica. Vazio: o parceiro não recebe nada.",
  "Request body that writes a commission plan": "Corpo da requisição que cria um plano de comissão"
}
