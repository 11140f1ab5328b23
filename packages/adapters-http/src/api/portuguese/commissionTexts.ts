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
  }
}
