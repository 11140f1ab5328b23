import { type NameIn } from "../Api.ts"
import { type OperationText } from "./peopleTexts.ts"

/** The operations of commissions in Portuguese. */
export const commissionTexts: Readonly<Record<NameIn<"commissions">, OperationText>> = {
  createCommissionPlan: {
    summary: "Criar um plano de comissão",
    description:
      "Cria o plano de um parceiro abaixo do parceiro de quem chama, ou da própria raiz de quem chama. O plano da raiz define " +
      "o percentual do contrato que a instituição paga. Todo outro plano define o percentual da comissão do parceiro pai que " +
      "o parceiro recebe. Planos não mudam: crie outro, com `rates: []` para encerrar a comissão. Exige `commissions:write`."
  },
  listCommissionPlans: {
    summary: "Listar os planos de comissão de um parceiro",
    description: "Retorna uma página dos planos de um parceiro na subárvore de quem chama. Exige `commissions:read`."
  },
  getCurrentCommissionPlan: {
    summary: "Consultar o plano de comissão em vigor",
    description:
      "Retorna o plano em vigor em um dia, de um parceiro na subárvore de quem chama. 404 se não há. Exige " +
      "`commissions:read`."
  },
  listCommissions: {
    summary: "Listar lançamentos de comissão",
    description:
      "Retorna uma página dos lançamentos do parceiro de quem chama e dos parceiros que estavam abaixo dele quando as " +
      "ofertas foram aceitas. Exige `commissions:read`."
  },
  summarizeCommissions: {
    summary: "Resumir comissões",
    description:
      "Retorna as somas de um mês de São Paulo para cada parceiro com lançamentos no mês, e as somas de todos. Considera os " +
      "lançamentos que `GET /commissions` lista. Exige `commissions:read`."
  },
  adjustCommission: {
    summary: "Ajustar as comissões de um parceiro",
    description: "Soma um valor ao saldo de um parceiro abaixo do parceiro de quem chama. Exige `commissions:write`."
  },
  closeCommissions: {
    summary: "Fechar um período",
    description:
      "Fecha os lançamentos abertos de um parceiro, de um mês passado de São Paulo e dos anteriores, que já podem ser pagos. Os " +
      "que só podem ser pagos depois ficam abertos: repita para fechá-los, com o mesmo `closing_id`. Uma requisição fecha no " +
      "máximo 10 000 lançamentos: repita até que `complete` seja true, sempre com outra chave de idempotência. Exige " +
      "`commissions:write`."
  },
  createCommissionPayout: {
    summary: "Registrar um pagamento",
    description:
      "Registra que os lançamentos fechados de um parceiro abaixo do parceiro de quem chama foram pagos. `amount` deve ser a " +
      "soma deles. Os tributos são registrados, não calculados. Exige `commissions:write`."
  },
  listCommissionPayouts: {
    summary: "Listar pagamentos",
    description:
      "Retorna uma página dos pagamentos que o parceiro de quem chama recebeu, e dos que ele ou um parceiro abaixo dele fez. " +
      "Exige `commissions:read`."
  },
  compareCommissionStatement: {
    summary: "Comparar o extrato de uma instituição",
    description:
      "Compara o extrato de uma instituição com as comissões que ela paga à raiz. As células são separadas por vírgula ou " +
      "ponto e vírgula. Na linha de um contrato desfeito, os dois valores são negativos. Um problema indica a linha e a " +
      "coluna: `lines[3].paid_amount`, em que o cabeçalho é a linha 1. O mesmo arquivo para a mesma instituição e o mesmo " +
      "período retorna o primeiro resultado. Exige `commissions:write`, e só a raiz pode chamar esta operação."
  }
}
