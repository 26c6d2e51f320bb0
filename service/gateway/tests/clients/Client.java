// A client in Java, with the package that openapi-generator generates. Prints what the service answers.

import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.PartnerApi;
import org.openapitools.client.api.PaymentsApi;
import org.openapitools.client.model.Balance;
import org.openapitools.client.model.Currency;
import org.openapitools.client.model.Mode;
import org.openapitools.client.model.Payment;
import org.openapitools.client.model.PaymentCreatePayInSchema;
import org.openapitools.client.model.PaymentCreateRequest;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Subtype;

final class Client {
  private interface Call {
    void run() throws ApiException;
  }

  private static PaymentCreateRequest body(String amount) {
    return new PaymentCreateRequest(
        new PaymentCreatePayInSchema()
            .paymentType(PaymentCreatePayInSchema.PaymentTypeEnum.PAY_IN)
            .mode(Mode.P2_P)
            .subtype(Subtype.SBP)
            .cur(Currency.RUB)
            .amount(amount));
  }

  /** Prints the status of a call that the service rejects, and returns the problem. */
  private static Problem rejected(Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException error) {
      System.out.print(error.getCode() + " ");
      return ApiClient.createDefaultObjectMapper().readValue(error.getResponseBody(), Problem.class);
    }
    throw new AssertionError("the service accepts the request");
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + arguments[1]));
    PaymentsApi payments = new PaymentsApi(client);

    ApiResponse<Payment> created = payments.createPaymentWithHttpInfo(body("1500.00"), "order-1007");
    Payment payment = created.getData();
    System.out.println(created.getStatusCode() + " " + payment.getState() + " " + payment.getAmount());

    // At once, within the window of the key.
    System.out.println(rejected(() -> payments.createPayment(body("1600.00"), "order-1007")).getCode());

    ApiResponse<Payment> read = payments.readPaymentWithHttpInfo(payment.getUid());
    System.out.println(read.getStatusCode() + " " + read.getData().getUid().equals(payment.getUid()));

    Problem invalid = rejected(() -> payments.createPayment(body("-5"), null));
    System.out.println(
        invalid.getViolations().stream()
            .map(violation -> violation.getCode() + " " + violation.getPath())
            .collect(Collectors.joining(",")));

    ApiResponse<Balance> balance = new PartnerApi(client).readBalanceWithHttpInfo();
    System.out.println(balance.getStatusCode() + " " + balance.getData().getCur());

    ApiClient stranger = new ApiClient();
    stranger.updateBaseUri(arguments[0]);
    System.out.println(rejected(() -> new PartnerApi(stranger).readBalance()).getCode());
  }
}
